import { type Database, Prisma, readRows, type Transaction } from '@mailsweep/database';
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

/** The person's session with this id, unless it has ended, by the database's clock, or been revoked. */
export const findLiveSession = async (
  database: Database,
  id: string,
  userId: string,
): Promise<Session | null> => {
  const [session] = await readRows<Session>(
    database,
    Prisma.sql`
      SELECT "id", "userId", "expiresAt" FROM "Session"
      WHERE "id" = ${id}::uuid AND "userId" = ${userId}::uuid AND "revokedAt" IS NULL AND "expiresAt" > now()`,
  );
  return session ?? null;
};

/** Ends all sessions of a person at once, on every replica; answers how many were live. */
export const revokeAllSessions = async (database: Database, userId: string): Promise<number> => {
  const now = new Date();
  const { count } = await database.session.updateMany({
    where: { userId, revokedAt: null, expiresAt: { gt: now } },
    data: { revokedAt: now },
  });
  return count;
};

/** Ends a session at once, on every replica. */
export const revokeSession = async (database: Database | Transaction, id: string): Promise<void> => {
  await database.session.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: new Date() } });
};
