import type { Database, Transaction } from '@mailsweep/database';
import type { ProviderTokens } from './oidc-provider.ts';
import type { TokenCipher } from './token-cipher.ts';

/** A person's provider tokens, readable. */
export interface ProviderConnection {
  accessToken: string;
  accessTokenExpiresAt: Date;
  refreshToken: string | null;
  /** The provider refused the refresh token for good. */
  isDead: boolean;
}

/** Keeps tokens, encrypted; without a new refresh token the one there is stays. */
export const saveProviderTokens = async (
  tx: Transaction | Database,
  tokenCipher: TokenCipher,
  userId: string,
  tokens: ProviderTokens,
): Promise<void> => {
  const values = {
    encryptedAccessToken: tokenCipher.encrypt(tokens.accessToken, userId),
    accessTokenExpiresAt: tokens.accessTokenExpiresAt,
    scope: tokens.scope,
    reauthRequiredAt: null,
    ...(tokens.refreshToken === undefined
      ? {}
      : { encryptedRefreshToken: tokenCipher.encrypt(tokens.refreshToken, userId) }),
  };
  await tx.providerConnection.upsert({ where: { userId }, update: values, create: { userId, ...values } });
};

interface ConnectionRow {
  encryptedAccessToken: string;
  encryptedRefreshToken: string | null;
  accessTokenExpiresAt: Date;
  reauthRequiredAt: Date | null;
}

const toConnection = (row: ConnectionRow, tokenCipher: TokenCipher, userId: string): ProviderConnection => ({
  accessToken: tokenCipher.decrypt(row.encryptedAccessToken, userId),
  accessTokenExpiresAt: row.accessTokenExpiresAt,
  refreshToken:
    row.encryptedRefreshToken === null ? null : tokenCipher.decrypt(row.encryptedRefreshToken, userId),
  isDead: row.reauthRequiredAt !== null,
});

/** A person's tokens; null when there is no connection. */
export const findProviderConnection = async (
  database: Database,
  tokenCipher: TokenCipher,
  userId: string,
): Promise<ProviderConnection | null> => {
  const row = await database.providerConnection.findUnique({ where: { userId } });
  return row === null ? null : toConnection(row, tokenCipher, userId);
};

/** As {@link findProviderConnection}; other replicas wait for the row until the transaction ends. */
export const lockProviderConnection = async (
  tx: Transaction,
  tokenCipher: TokenCipher,
  userId: string,
): Promise<ProviderConnection | null> => {
  const [row] = await tx.$queryRaw<ConnectionRow[]>`
    SELECT "encryptedAccessToken", "encryptedRefreshToken", "accessTokenExpiresAt", "reauthRequiredAt"
    FROM "ProviderConnection" WHERE "userId" = ${userId}::uuid FOR UPDATE`;
  return row === undefined ? null : toConnection(row, tokenCipher, userId);
};

/** Notes that the person has to sign in again before the mailbox can be reached. */
export const markReauthRequired = async (database: Database, userId: string): Promise<void> => {
  await database.providerConnection.updateMany({
    where: { userId, reauthRequiredAt: null },
    data: { reauthRequiredAt: new Date() },
  });
};
