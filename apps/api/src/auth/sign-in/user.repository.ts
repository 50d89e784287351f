import type { ConnectionState } from '@mailsweep/contracts';
import { type Database, Prisma, type Transaction } from '@mailsweep/database';
import { GMAIL, type ProviderIdentity } from '@mailsweep/provider-connection';
import { v7 as uuidv7 } from 'uuid';

/** The user with this identity, made at the first sign-in; address and name follow the provider's. */
export const saveUser = async (
  tx: Transaction,
  { subject, email, name }: ProviderIdentity,
): Promise<string> => {
  const user = await tx.user.upsert({
    where: { providerSubject: subject },
    update: { email, name },
    create: { id: uuidv7(), providerSubject: subject, email, name },
  });
  return user.id;
};

/** The id of the user with this provider subject; null when no such user has ever signed in. */
export const findUserId = async (database: Database, providerSubject: string): Promise<string | null> => {
  const user = await database.user.findUnique({ where: { providerSubject }, select: { id: true } });
  return user?.id ?? null;
};

export interface Account {
  email: string;
  name: string | null;
  connection: ConnectionState;
  /** The key of the provider. */
  provider: string;
}

/** Who a user is, and whether their mailbox can be reached; null when the user was deleted. */
export const findAccount = async (database: Database, userId: string): Promise<Account | null> => {
  const [row] = await database.readDirectly<
    Pick<Account, 'email' | 'name'> & { provider: string | null; isConnected: boolean }
  >(
    Prisma.sql`
      SELECT "email", "name", "provider", "ProviderConnection"."userId" IS NOT NULL AND "reauthRequiredAt" IS NULL AS "isConnected"
      FROM "User" LEFT JOIN "ProviderConnection" ON "ProviderConnection"."userId" = "User"."id"
      WHERE "User"."id" = ${userId}::uuid`,
  );
  if (row === undefined) return null;
  const { isConnected, provider, ...user } = row;
  return { ...user, provider: provider ?? GMAIL, connection: isConnected ? 'active' : 'reauth_required' };
};
