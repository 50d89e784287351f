import { type Database, Prisma, readRows, type Transaction } from '@mailsweep/database';
import { type TokenCipher, TokenCipherError } from './encryption/token-cipher.ts';
import type { ProviderTokens } from './oidc-provider.ts';

export interface MailAccount {
  /** The operator's key of the provider. */
  provider: string;
  /** The account at a JMAP server; null at Gmail, which has one for each user. */
  accountId: string | null;
}

export interface ProviderConnection extends MailAccount {
  accessToken: string;
  accessTokenExpiresAt: Date;
  refreshToken: string | null;
  canChange: boolean;
  /** The provider refused the refresh token for good. */
  isDead: boolean;
}

/**
 * Stores tokens encrypted. Without a new refresh token the stored one stays.
 *
 * @param account.canChange - left out when it is as before
 */
export const saveProviderTokens = async (
  tx: Transaction | Database,
  tokenCipher: TokenCipher,
  userId: string,
  tokens: ProviderTokens,
  { provider, accountId, canChange }: MailAccount & { canChange?: boolean },
): Promise<void> => {
  const values = {
    provider,
    accountId,
    encryptedAccessToken: tokenCipher.encrypt(tokens.accessToken, userId),
    accessTokenExpiresAt: tokens.accessTokenExpiresAt,
    ...(tokens.scope !== undefined && { scope: tokens.scope }),
    ...(canChange !== undefined && { canChange }),
    reauthRequiredAt: null,
    ...(tokens.refreshToken === undefined
      ? {}
      : { encryptedRefreshToken: tokenCipher.encrypt(tokens.refreshToken, userId) }),
  };
  await tx.providerConnection.upsert({
    where: { userId },
    update: values,
    create: { userId, scope: '', ...values },
  });
};

interface ConnectionRow extends MailAccount {
  encryptedAccessToken: string;
  encryptedRefreshToken: string | null;
  accessTokenExpiresAt: Date;
  canChange: boolean;
  reauthRequiredAt: Date | null;
}

const toConnection = (row: ConnectionRow, tokenCipher: TokenCipher, userId: string): ProviderConnection => ({
  provider: row.provider,
  accountId: row.accountId,
  accessToken: tokenCipher.decrypt(row.encryptedAccessToken, userId),
  accessTokenExpiresAt: row.accessTokenExpiresAt,
  refreshToken:
    row.encryptedRefreshToken === null ? null : tokenCipher.decrypt(row.encryptedRefreshToken, userId),
  canChange: row.canChange,
  isDead: row.reauthRequiredAt !== null,
});

/** A user's tokens; null when there is no connection. */
export const findProviderConnection = async (
  database: Database,
  tokenCipher: TokenCipher,
  userId: string,
): Promise<ProviderConnection | null> => {
  const [row] = await readRows<ConnectionRow>(
    database,
    Prisma.sql`
    SELECT "provider", "accountId", "encryptedAccessToken", "encryptedRefreshToken", "accessTokenExpiresAt",
      "canChange", "reauthRequiredAt"
    FROM "ProviderConnection" WHERE "userId" = ${userId}::uuid`,
  );
  return row === undefined ? null : toConnection(row, tokenCipher, userId);
};

/**
 * Whether a refresh token is stored that is readable and that the provider has not refused.
 *
 * @param canChange - what it has to allow: it gives no other access than it was given for
 */
export const hasUsableRefreshToken = async (
  database: Database,
  tokenCipher: TokenCipher,
  userId: string,
  canChange: boolean,
): Promise<boolean> => {
  try {
    const connection = await findProviderConnection(database, tokenCipher, userId);
    if (connection === null || connection.canChange !== canChange) return false;
    return !connection.isDead && connection.refreshToken !== null;
  } catch (error) {
    if (error instanceof TokenCipherError) return false;
    throw error;
  }
};

/**
 * Makes this process the one that asks the provider for new tokens.
 *
 * @param seconds - after which another may take over
 * @returns false while another process is at it
 */
export const leaseRefresh = async (database: Database, userId: string, seconds: number): Promise<boolean> => {
  const leased = await database.$executeRaw`
    UPDATE "ProviderConnection" SET "refreshLeasedUntil" = now() + make_interval(secs => ${seconds})
    WHERE "userId" = ${userId}::uuid AND ("refreshLeasedUntil" IS NULL OR "refreshLeasedUntil" < now())`;
  return leased === 1;
};

/** Lets others ask the provider again. */
export const releaseRefresh = async (database: Database, userId: string): Promise<void> => {
  await database.providerConnection.updateMany({ where: { userId }, data: { refreshLeasedUntil: null } });
};

/**
 * Notes that the user has to sign in again before the mailbox can be reached.
 *
 * @param refused - the connection whose refresh token was refused; one that has been renewed since lives on
 * @returns whether it was noted
 */
export const markReauthRequired = async (
  database: Database,
  userId: string,
  refused: Pick<ProviderConnection, 'accessTokenExpiresAt'>,
): Promise<boolean> => {
  const { count } = await database.providerConnection.updateMany({
    where: { userId, reauthRequiredAt: null, accessTokenExpiresAt: refused.accessTokenExpiresAt },
    data: { reauthRequiredAt: new Date() },
  });
  return count === 1;
};

/** How many connections there are for each key, with the part of a ciphertext that names the key. */
export const countConnectionsByKey = (
  database: Database,
): Promise<{ ciphertext: string; connections: number }[]> =>
  database.$queryRaw`
    SELECT split_part("encryptedAccessToken", '.', 1) || '.' AS "ciphertext", count(*)::int AS "connections"
    FROM "ProviderConnection" GROUP BY 1`;
