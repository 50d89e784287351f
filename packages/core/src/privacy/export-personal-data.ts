import type { Database } from '@mailsweep/database';
import { PERSONAL_TABLES } from './personal-data.ts';
import { readPersonalRows } from './personal-rows.repository.ts';

/**
 * Everything stored of a user, as the JSON text of a `PersonalDataExport`, piece by piece. The tables are read
 * one after the other: a change made meanwhile is included if its table was not read yet.
 */
export async function* exportPersonalData(
  database: Database,
  userId: string,
  nowMs = Date.now,
): AsyncGenerator<string> {
  const head = JSON.stringify({ exportedAt: new Date(nowMs()).toISOString(), userId }).slice(0, -1);
  let opening = `${head},"data":{`;
  for (const table of PERSONAL_TABLES) {
    opening += `${JSON.stringify(table.table)}:[`;
    for await (const rows of readPersonalRows(database, table, userId)) {
      yield opening + rows.join(',');
      opening = ',';
    }
    opening = opening === ',' ? '],' : `${opening}],`;
  }
  yield `${opening.slice(0, -1)}}}`;
}
