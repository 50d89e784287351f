import type { Database } from '@mailsweep/database';
import type { TextCipher } from '@mailsweep/message-cache';
import { z } from 'zod';
import { PERSONAL_TABLES, type PersonalTable } from './personal-data.ts';
import { readPersonalRows } from './personal-rows.repository.ts';

const RowSchema = z.record(z.string(), z.unknown());

/**
 * Everything stored of a user, as the JSON text of a `PersonalDataExport`, piece by piece. The tables are read
 * one after the other: a change made meanwhile is included if its table was not read yet.
 */
export async function* exportPersonalData(
  { database, cipher }: { database: Database; cipher: TextCipher },
  userId: string,
  nowMs = Date.now,
): AsyncGenerator<string> {
  const head = JSON.stringify({ exportedAt: new Date(nowMs()).toISOString(), userId }).slice(0, -1);
  let opening = `${head},"data":{`;
  for (const table of PERSONAL_TABLES) {
    opening += `${JSON.stringify(table.table)}:[`;
    for await (const rows of readPersonalRows(database, table, userId)) {
      yield opening + rows.map((row) => decryptRow(row, table.decrypted)).join(',');
      opening = ',';
    }
    opening = opening === ',' ? '],' : `${opening}],`;
  }
  yield `${opening.slice(0, -1)}}}`;

  function decryptRow(text: string, decrypted: PersonalTable['decrypted']): string {
    if (decrypted === undefined) return text;
    const { [decrypted.column]: encrypted, ...row } = RowSchema.parse(JSON.parse(text));
    return JSON.stringify({
      ...row,
      [decrypted.name]: decrypted.read(cipher, userId, String(encrypted)) ?? null,
    });
  }
}
