import { type Database, Prisma, type Transaction } from '@mailsweep/database';
import { PERSONAL_TABLES, type PersonalTable } from './personal-data.ts';

/** Rows read at a time, so that an export of any size takes little memory. */
const PAGE_SIZE = 1_000;

/** Deletes all rows of a user, and marks the user as erased. */
export const deletePersonalRows = async (tx: Transaction, userId: string): Promise<void> => {
  // The same lock as in the trigger `dropRowsOfErasedUsers`: inserts in flight come first, or see the mark.
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${userId}, 1))`;
  await tx.$executeRaw`INSERT INTO "ErasedUser" ("id") VALUES (${userId}::uuid) ON CONFLICT DO NOTHING`;
  for (const { table, owner } of PERSONAL_TABLES) {
    await tx.$executeRaw`DELETE FROM ${Prisma.raw(`"${table}"`)} WHERE ${Prisma.raw(`"${owner}"`)} = ${userId}::uuid`;
  }
};

/** A user's rows of a table, each as JSON text, page by page; no page is empty. */
export async function* readPersonalRows(
  database: Database,
  { table, owner, key, hidden }: PersonalTable,
  userId: string,
): AsyncGenerator<string[]> {
  const keyColumn = Prisma.raw(`"${key.column}"`);
  const keyType = Prisma.raw(key.type);
  for (let after: string | undefined; ; ) {
    const isNext = after === undefined ? Prisma.empty : Prisma.sql`AND ${keyColumn} > ${after}::${keyType}`;
    const rows = await database.$queryRaw<{ key: string; text: string }[]>`
      SELECT ${keyColumn}::text AS "key", (to_jsonb(row) - ${hidden}::text[])::text AS "text"
      FROM ${Prisma.raw(`"${table}"`)} AS row
      WHERE ${Prisma.raw(`"${owner}"`)} = ${userId}::uuid ${isNext}
      ORDER BY ${keyColumn} LIMIT ${PAGE_SIZE}`;
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => row.text);
    if (rows.length < PAGE_SIZE) return;
    after = last.key;
  }
}
