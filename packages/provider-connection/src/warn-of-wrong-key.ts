import type { Database } from '@mailsweep/database';
import type { Logger } from '@mailsweep/service-kit';
import type { TokenCipher } from './encryption/token-cipher.ts';
import { countConnectionsByKey } from './provider-connection.repository.ts';

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
    const counts = { readable: 0, unreadable: 0 };
    for (const { ciphertext, connections } of await countConnectionsByKey(database)) {
      counts[tokenCipher.isKnown(ciphertext) ? 'readable' : 'unreadable'] += connections;
    }
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
