import type { Database } from '@mailsweep/database';
import type { Logger } from '@mailsweep/service-kit';
import {
  type EncryptedColumns,
  listEncryptedRows,
  replaceCiphertext,
} from './encrypted-columns.repository.ts';
import { type TokenCipher, TokenCipherError } from './token-cipher.ts';

/** Every place in the database that holds what TOKEN_ENCRYPTION_KEY encrypts. */
export const ENCRYPTED_COLUMNS: EncryptedColumns[] = [
  {
    table: 'ProviderConnection',
    key: 'userId',
    columns: ['encryptedAccessToken', 'encryptedRefreshToken'],
  },
  { table: 'PendingLogin', key: 'stateHash', columns: ['encryptedCodeVerifier'] },
  { table: 'Notification', key: 'id', columns: ['encryptedContent'] },
  { table: 'PushSubscription', key: 'id', columns: ['encryptedSubscription'] },
];

/** Ciphertexts of one table, by outcome. */
export interface ReencryptCounts {
  reencrypted: number;
  /** They were under the current key already. */
  current: number;
  /** Written or deleted by another process at the same time; the next round finds out the key. */
  changed: number;
  /** Neither key reads them. */
  unreadable: number;
}

/** Rows read at a time. */
const BATCH_SIZE = 500;

/**
 * Encrypts again every ciphertext of a table that is not under the current key. Safe while the service runs:
 * a text is replaced only if it is still the one that was read. Safe to stop and to begin again: what is done
 * is under the current key and is passed over.
 */
export const reencryptTable = async (
  dependencies: { database: Database; tokenCipher: TokenCipher; logger: Pick<Logger, 'error'> },
  place: EncryptedColumns,
): Promise<ReencryptCounts> => {
  const { database, tokenCipher, logger } = dependencies;
  const counts: ReencryptCounts = { reencrypted: 0, current: 0, changed: 0, unreadable: 0 };

  const reencrypt = async (column: string, owner: string, ciphertext: string): Promise<void> => {
    if (tokenCipher.isCurrent(ciphertext)) {
      counts.current += 1;
      return;
    }
    try {
      const renewed = tokenCipher.encrypt(tokenCipher.decrypt(ciphertext, owner), owner);
      const row = { key: owner, column, before: ciphertext, after: renewed };
      counts[(await replaceCiphertext(database, place, row)) ? 'reencrypted' : 'changed'] += 1;
    } catch (error) {
      if (!(error instanceof TokenCipherError)) throw error;
      counts.unreadable += 1;
      logger.error({ err: error, table: place.table, column, key: owner }, 'a stored text can’t be read');
    }
  };

  for (let after = ''; ; ) {
    const rows = await listEncryptedRows(database, place, { after, limit: BATCH_SIZE });
    for (const row of rows) {
      for (const column of place.columns) {
        const ciphertext = row[column];
        if (typeof ciphertext === 'string') await reencrypt(column, row.key, ciphertext);
      }
    }
    const last = rows.at(-1);
    if (last === undefined) return counts;
    after = last.key;
  }
};
