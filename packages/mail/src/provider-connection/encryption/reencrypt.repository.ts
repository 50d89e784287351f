import { type Database, Prisma } from '@mailsweep/database';
import { type EncryptedColumns, type ReencryptCounts, reencryptColumns } from '@mailsweep/mail/message-cache';
import type { Logger } from '@mailsweep/service-kit';
import { type TokenCipher, TokenCipherError } from './token-cipher.ts';

/** Every place in the database that holds what TOKEN_ENCRYPTION_KEY encrypts. */
export const ENCRYPTED_COLUMNS: EncryptedColumns[] = [
  {
    table: 'ProviderConnection',
    key: { column: 'userId', type: 'uuid' },
    owner: 'userId',
    columns: ['encryptedAccessToken', 'encryptedRefreshToken'],
  },
  {
    table: 'PendingLogin',
    key: { column: 'stateHash', type: 'text' },
    owner: 'stateHash',
    columns: ['encryptedCodeVerifier'],
  },
  {
    table: 'Notification',
    key: { column: 'id', type: 'uuid' },
    owner: 'id',
    columns: ['encryptedContent'],
  },
  {
    table: 'PushSubscription',
    key: { column: 'id', type: 'text' },
    owner: 'id',
    columns: ['encryptedSubscription'],
  },
];

/** Encrypts again every ciphertext of a table that is not under the current key. */
export const reencryptTable = (
  dependencies: { database: Database; tokenCipher: TokenCipher; logger: Pick<Logger, 'error'> },
  place: EncryptedColumns,
): Promise<ReencryptCounts> => {
  const { database, tokenCipher, logger } = dependencies;

  const reencrypt = (text: string, owner: string, column: string): string | undefined => {
    try {
      return tokenCipher.encrypt(tokenCipher.decrypt(text, owner), owner);
    } catch (error) {
      if (!(error instanceof TokenCipherError)) throw error;
      logger.error({ err: error, table: place.table, column, key: owner }, 'a stored text can’t be read');
      return undefined;
    }
  };

  return reencryptColumns(database, place, {
    isCurrent: tokenCipher.isCurrent,
    async renew({ isOld, owner, column, text }) {
      const renewed = reencrypt(text, owner, column);
      if (renewed === undefined) return undefined;
      const [table, set] = [Prisma.raw(`"${place.table}"`), Prisma.raw(`"${column}"`)];
      return database.$executeRaw`UPDATE ${table} SET ${set} = ${renewed} WHERE ${isOld}`;
    },
  });
};
