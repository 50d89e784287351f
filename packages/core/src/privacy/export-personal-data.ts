import { type Database, Prisma } from '@mailsweep/database';
import type { Clock } from '../dependencies.ts';
import { PERSONAL_TABLES, type PersonalTable } from './personal-data.ts';

/** Rows read at a time, so that an export of any size takes little memory. */
const PAGE_SIZE = 1_000;

/**
 * Everything stored of a person, as the JSON text of a `PersonalDataExport`, piece by piece. The tables are read
 * one after the other: what changes meanwhile is in it as it was when its turn came.
 */
export async function* exportPersonalData(
  dependencies: { database: Database; clock: Clock },
  userId: string,
): AsyncGenerator<string> {
  const head = JSON.stringify({ exportedAt: dependencies.clock().toISOString(), userId }).slice(0, -1);
  let opening = `${head},"data":{`;
  for (const table of PERSONAL_TABLES) {
    opening += `${JSON.stringify(table.table)}:[`;
    for await (const rows of readPages(dependencies.database, table, userId)) {
      yield opening + rows.join(',');
      opening = ',';
    }
    opening = opening === ',' ? '],' : `${opening}],`;
  }
  yield `${opening.slice(0, -1)}}}`;
}

/** The person's rows of a table, each as JSON text, page by page; no page is empty. */
async function* readPages(
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
