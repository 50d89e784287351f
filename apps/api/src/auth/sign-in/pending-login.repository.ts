import { createHash } from 'node:crypto';
import type { Database } from '@mailsweep/database';
import type { LoginSecrets, TokenCipher } from '@mailsweep/provider-connection';

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
      "expectedUserId"`;
  const [row] = rows;
  if (row === undefined) return null;
  const { nonce, encryptedCodeVerifier, ...pending } = row;
  const codeVerifier = dependencies.tokenCipher.decrypt(encryptedCodeVerifier, stateHash);
  return { ...pending, secrets: { state: login.state, nonce, codeVerifier } };
};
