import { createHash } from 'node:crypto';
import type { Database } from '@mailsweep/database';
import type { LoginSecrets, TokenCipher } from '@mailsweep/provider-connection';

const toHash = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** A sign-in as it is remembered until the browser comes back. */
export interface PendingLogin {
  secrets: LoginSecrets;
  isExpired: boolean;
}

/** Keeps the secrets of a sign-in under way, bound to one browser. */
export const insertPendingLogin = async (
  dependencies: { database: Database; tokenCipher: TokenCipher },
  login: { secrets: LoginSecrets; browserSecret: string; expiresAt: Date },
): Promise<void> => {
  const { state, nonce, codeVerifier } = login.secrets;
  const stateHash = toHash(state);
  await dependencies.database.pendingLogin.create({
    data: {
      stateHash,
      browserHash: toHash(login.browserSecret),
      nonce,
      encryptedCodeVerifier: dependencies.tokenCipher.encrypt(codeVerifier, stateHash),
      expiresAt: login.expiresAt,
    },
  });
};

/**
 * Takes a sign-in out of the store: a second call with the same state finds nothing, and neither does a
 * browser other than the one that began. Logins that expired long ago are swept out by the way.
 */
export const takePendingLogin = async (
  dependencies: { database: Database; tokenCipher: TokenCipher },
  login: { state: string; browserSecret: string },
): Promise<PendingLogin | null> => {
  const stateHash = toHash(login.state);
  const rows = await dependencies.database.$queryRaw<
    { nonce: string; encryptedCodeVerifier: string; isExpired: boolean }[]
  >`
    WITH stale AS (DELETE FROM "PendingLogin" WHERE "expiresAt" < now() - interval '1 day')
    DELETE FROM "PendingLogin"
    WHERE "stateHash" = ${stateHash} AND "browserHash" = ${toHash(login.browserSecret)}
    RETURNING "nonce", "encryptedCodeVerifier", "expiresAt" < now() AS "isExpired"`;
  const [row] = rows;
  if (row === undefined) return null;
  const codeVerifier = dependencies.tokenCipher.decrypt(row.encryptedCodeVerifier, stateHash);
  return { secrets: { state: login.state, nonce: row.nonce, codeVerifier }, isExpired: row.isExpired };
};
