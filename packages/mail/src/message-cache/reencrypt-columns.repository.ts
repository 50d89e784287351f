import { type Database, Prisma } from '@mailsweep/database';
import type { ReencryptCounts } from './message-text.ts';

const BATCH_SIZE = 500;
/** Comes before every key. */
const FIRST = { uuid: '00000000-0000-0000-0000-000000000000', text: '' };

export interface EncryptedColumns {
  table: string;
  key: { column: string; type: keyof typeof FIRST };
  /** The column that the texts are bound to, as associated data. */
  owner: string;
  columns: string[];
}

/** A text that is not under the current key. */
export interface OutdatedText {
  /** Holds while nobody else has written the row. */
  isOld: Prisma.Sql;
  owner: string;
  column: string;
  text: string;
}

/**
 * Encrypts again every ciphertext of a table that is not under the current key. Safe while the service runs: `isOld` guards
 * each write. Safe to stop and to begin again: what is under the current key is passed over.
 *
 * @param how.renew - returns how many rows it wrote; undefined when neither key reads the text
 */
export const reencryptColumns = async (
  database: Database,
  { table, key, owner, columns }: EncryptedColumns,
  how: {
    isCurrent(ciphertext: string): boolean;
    renew(outdated: OutdatedText): Promise<number | undefined>;
  },
): Promise<ReencryptCounts> => {
  const counts: ReencryptCounts = { reencrypted: 0, current: 0, changed: 0, unreadable: 0 };
  const [id, type] = [toIdentifier(key.column), Prisma.raw(key.type)];

  const renew = async (outdated: OutdatedText): Promise<keyof ReencryptCounts> => {
    if (how.isCurrent(outdated.text)) return 'current';
    const written = await how.renew(outdated);
    if (written === undefined) return 'unreadable';
    return written > 0 ? 'reencrypted' : 'changed';
  };

  for (let after = FIRST[key.type]; ; ) {
    const rows = await database.$queryRaw<({ key: string; owner: string } & Record<string, string | null>)[]>`
      SELECT ${id}::text AS "key", ${toIdentifier(owner)}::text AS "owner",
        ${Prisma.join(columns.map(toIdentifier))}
      FROM ${toIdentifier(table)} WHERE ${id} > ${after}::${type} ORDER BY ${id} LIMIT ${BATCH_SIZE}`;
    for (const row of rows) {
      for (const column of columns) {
        const text = row[column];
        if (typeof text !== 'string') continue;
        const isOld = Prisma.sql`${id} = ${row.key}::${type} AND ${toIdentifier(column)} = ${text}`;
        counts[await renew({ isOld, owner: row.owner, column, text })] += 1;
      }
    }
    const last = rows.at(-1);
    if (last === undefined) return counts;
    after = last.key;
  }
};

const toIdentifier = (name: string): Prisma.Sql => Prisma.raw(`"${name}"`);
