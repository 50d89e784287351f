import { createHash } from 'node:crypto';
import type { ConnectionState } from '@mailsweep/contracts';
import { type Database, Prisma, type Transaction } from '@mailsweep/database';
import {
  GMAIL,
  type LoginSecrets,
  type ProviderIdentity,
  type TokenCipher,
} from '@mailsweep/mail/provider-connection';
import { v7 as uuidv7 } from 'uuid';

const toHash = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** A sign-in as it is remembered until the browser comes back. */
export interface PendingLogin {
  secrets: LoginSecrets;
  /** The key of the provider that the browser was sent to. */
  provider: string;
  isExpired: boolean;
  /** Whether the provider was told to ask for consent. */
  asksConsent: boolean;
  /** The user who renews the mailbox connection; null when any user may sign in. */
  expectedUserId: string | null;
  /** The session that goes on: a mailbox is added to it, or another one of its owner is connected again. */
  sessionId: string | null;
}

/** Keeps the secrets of a sign-in in flight, bound to one browser. */
export const insertPendingLogin = async (
  dependencies: { database: Database; tokenCipher: TokenCipher },
  login: Omit<PendingLogin, 'isExpired'> & { browserSecret: string; expiresAt: Date },
): Promise<void> => {
  const { state, nonce, codeVerifier } = login.secrets;
  const stateHash = toHash(state);
  await dependencies.database.pendingLogin.create({
    data: {
      stateHash,
      browserHash: toHash(login.browserSecret),
      provider: login.provider,
      nonce,
      encryptedCodeVerifier: dependencies.tokenCipher.encrypt(codeVerifier, stateHash),
      expiresAt: login.expiresAt,
      asksConsent: login.asksConsent,
      expectedUserId: login.expectedUserId,
      sessionId: login.sessionId,
    },
  });
};

/**
 * Takes a sign-in out of the store: a second call with the same state finds nothing, and neither does a
 * browser other than the one that began.
 */
export const takePendingLogin = async (
  dependencies: { database: Database; tokenCipher: TokenCipher },
  login: { state: string; browserSecret: string },
): Promise<PendingLogin | null> => {
  const stateHash = toHash(login.state);
  const rows = await dependencies.database.$queryRaw<
    (Omit<PendingLogin, 'secrets'> & { nonce: string; encryptedCodeVerifier: string })[]
  >`
    DELETE FROM "PendingLogin"
    WHERE "stateHash" = ${stateHash} AND "browserHash" = ${toHash(login.browserSecret)}
    RETURNING "provider", "nonce", "encryptedCodeVerifier", "expiresAt" < now() AS "isExpired", "asksConsent",
      "expectedUserId", "sessionId"`;
  const [row] = rows;
  if (row === undefined) return null;
  const { nonce, encryptedCodeVerifier, ...pending } = row;
  const codeVerifier = dependencies.tokenCipher.decrypt(encryptedCodeVerifier, stateHash);
  return { ...pending, secrets: { state: login.state, nonce, codeVerifier } };
};

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

interface Account {
  email: string;
  name: string | null;
  connection: ConnectionState;
  /** The key of the provider. */
  provider: string;
  /** Whether the user lets us change the mailbox. */
  canChange: boolean;
}

/** Who a user is, and whether their mailbox can be reached; null when the user was deleted. */
export const findAccount = async (database: Database, userId: string): Promise<Account | null> => {
  const [row] = await database.readDirectly<
    Pick<Account, 'email' | 'name' | 'canChange'> & { provider: string | null; isConnected: boolean }
  >(
    Prisma.sql`
      SELECT "email", "name", "provider", "ProviderConnection"."userId" IS NOT NULL AND "reauthRequiredAt" IS NULL AS "isConnected",
        coalesce("canChange", true) AS "canChange"
      FROM "User" LEFT JOIN "ProviderConnection" ON "ProviderConnection"."userId" = "User"."id"
      WHERE "User"."id" = ${userId}::uuid`,
  );
  if (row === undefined) return null;
  const { isConnected, provider, ...user } = row;
  return { ...user, provider: provider ?? GMAIL, connection: isConnected ? 'active' : 'reauth_required' };
};
