import { type Database, Prisma } from '@mailsweep/database';

/** Where ciphertexts of a `TokenCipher` are stored. */
export interface EncryptedColumns {
  table: string;
  /** The row's primary key, which is also the owner that the texts are bound to. */
  key: string;
  columns: string[];
}

export type EncryptedRow = { key: string } & Record<string, string | null>;

/** The next rows in the order of their keys. */
export const listEncryptedRows = (
  database: Database,
  { table, key, columns }: EncryptedColumns,
  { after, limit }: { after: string; limit: number },
): Promise<EncryptedRow[]> =>
  database.$queryRaw<EncryptedRow[]>`
    SELECT ${toIdentifier(key)}::text AS "key", ${Prisma.join(columns.map(toIdentifier))} FROM ${toIdentifier(table)}
    WHERE ${toIdentifier(key)}::text > ${after} ORDER BY ${toIdentifier(key)}::text LIMIT ${limit}`;

/** Replaces a ciphertext unless it was changed meanwhile; returns whether it was replaced. */
export const replaceCiphertext = async (
  database: Database,
  { table, key }: EncryptedColumns,
  row: { key: string; column: string; before: string; after: string },
): Promise<boolean> => {
  const replaced = await database.$executeRaw`
    UPDATE ${toIdentifier(table)} SET ${toIdentifier(row.column)} = ${row.after}
    WHERE ${toIdentifier(key)}::text = ${row.key} AND ${toIdentifier(row.column)} = ${row.before}`;
  return replaced === 1;
};

const toIdentifier = (name: string): Prisma.Sql => Prisma.raw(`"${name}"`);
