import type { Database, Transaction } from '@mailsweep/database';
import { v7 as uuidv7 } from 'uuid';

export interface Session {
  id: string;
  userId: string;
  expiresAt: Date;
}

/** Opens a session for a person. */
export const insertSession = async (tx: Transaction, userId: string, expiresAt: Date): Promise<Session> => {
  const session = { id: uuidv7(), userId, expiresAt };
  await tx.session.create({ data: session });
  return session;
};

/** The person's session with this id, unless it has ended or been revoked. */
export const findLiveSession = (database: Database, id: string, userId: string): Promise<Session | null> =>
  database.session.findFirst({
    where: { id, userId, revokedAt: null, expiresAt: { gt: new Date() } },
    select: { id: true, userId: true, expiresAt: true },
  });

/** Ends a session at once, on every replica. */
export const revokeSession = async (database: Database, id: string): Promise<void> => {
  await database.session.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: new Date() } });
};
