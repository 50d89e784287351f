import type { KeyObject } from 'node:crypto';
import { type Database, Prisma } from '@mailsweep/database';
import { type TextCipher, toSenderKey } from '@mailsweep/message-cache';
import type { ReencryptCounts } from '@mailsweep/provider-connection';

/** Rows read at a time. */
const BATCH_SIZE = 500;

export interface ReencryptOptions {
  database: Database;
  cipher: TextCipher & { isCurrent(ciphertext: string): boolean };
  senderKey: KeyObject;
}

/** A row whose text is not under the current key. */
interface OutdatedRow {
  /** Holds while nobody else has written the row. */
  isOld: Prisma.Sql;
  userId: string;
  /** What belongs to the current key. */
  senderKey: string;
  text: string;
}

/**
 * Encrypts the texts of a table again that are not under the current key, each of which names a sender.
 *
 * @param place.read - returns the sender and the text under the current key; undefined when neither key reads it
 * @param place.write - returns how many rows it wrote
 */
export const reencryptRows = async (
  { database, cipher, senderKey }: ReencryptOptions,
  place: {
    table: 'Protection' | 'RuleSender' | 'Unsubscribe';
    column: 'encryptedSender' | 'encryptedRequest';
    read(userId: string, text: string): { from: string; text: string } | undefined;
    write(row: OutdatedRow): Promise<number>;
  },
): Promise<ReencryptCounts> => {
  const counts: ReencryptCounts = { reencrypted: 0, current: 0, changed: 0, unreadable: 0 };
  const [table, column] = [Prisma.raw(`"${place.table}"`), Prisma.raw(`"${place.column}"`)];

  const renew = async ({ id, userId, text }: { id: string; userId: string; text: string }) => {
    if (cipher.isCurrent(text)) return 'current';
    const renewed = place.read(userId, text);
    if (renewed === undefined) return 'unreadable';
    const written = await place.write({
      isOld: Prisma.sql`"id" = ${id}::uuid AND ${column} = ${text}`,
      userId,
      senderKey: toSenderKey(senderKey, userId, renewed.from),
      text: renewed.text,
    });
    return written > 0 ? 'reencrypted' : 'changed';
  };

  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await database.$queryRaw<{ id: string; userId: string; text: string }[]>`
      SELECT "id", "userId", ${column} AS "text" FROM ${table}
      WHERE "id" > ${after}::uuid AND ${column} IS NOT NULL ORDER BY "id" LIMIT ${BATCH_SIZE}`;
    for (const row of rows) counts[await renew(row)] += 1;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_SIZE) return counts;
    after = last.id;
  }
};
