import type { Database } from '@mailsweep/database';
import type { Logger } from '@mailsweep/service-kit';
import type { TokenCipher } from './encryption/token-cipher.ts';
import { countConnectionsByKey } from './provider-connection.repository.ts';

/** How many stored provider tokens the configured keys can read, and how many they can't. */
export const countReadableConnections = async (dependencies: {
  database: Database;
  tokenCipher: TokenCipher;
}): Promise<{ readable: number; unreadable: number }> => {
  const counts = { readable: 0, unreadable: 0 };
  for (const { ciphertext, connections } of await countConnectionsByKey(dependencies.database)) {
    counts[dependencies.tokenCipher.isKnown(ciphertext) ? 'readable' : 'unreadable'] += connections;
  }
  return counts;
};

/**
 * Logs an error when stored provider tokens were encrypted with a key that is not configured, as after a restore with
 * another key. It is no reason not to start: after the loss of a key, users sign in again.
 */
export const warnOfWrongKey = async (dependencies: {
  database: Database;
  tokenCipher: TokenCipher;
  logger: Pick<Logger, 'error' | 'debug'>;
}): Promise<void> => {
  const { database, tokenCipher, logger } = dependencies;
  try {
    const counts = await countReadableConnections({ database, tokenCipher });
    if (counts.unreadable === 0) return;
    logger.error(
      counts,
      'provider tokens were encrypted with another key than TOKEN_ENCRYPTION_KEY: set the key that the database was used with, or their users have to sign in again',
    );
  } catch (error) {
    // Readiness and requests say that the database is away.
    logger.debug({ err: error }, 'the keys of stored tokens could not be checked');
  }
};
