import { DOMAIN_EVENTS } from '@mailsweep/contracts';
import type { Database, Transaction } from '@mailsweep/database';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inFrozenTime } from '../testing/frozen-time.ts';
import { summarizeEvents } from './event-summary.repository.ts';

test.each([
  ['daily', '24 hours'],
  ['weekly', '7 days'],
] as const)('the %s window includes both its ends, to the millisecond', async (period, length) => {
  const totalConfirmed = await inFrozenTime(testDatabase.database, async (tx) => {
    // Powers of two: the sum tells which of them were counted.
    await insertConfirmed(tx, 1, `now() - interval '${length}' - interval '1 ms'`);
    await insertConfirmed(tx, 2, `now() - interval '${length}'`);
    await insertConfirmed(tx, 4, `now() - interval '${length}' + interval '1 ms'`);
    await insertConfirmed(tx, 8, `now() - interval '1 ms'`);
    await insertConfirmed(tx, 16, 'now()');
    await insertConfirmed(tx, 32, `now() + interval '1 ms'`);
    return (await summarizeEvents(tx as Database, USER_ID, period)).totalConfirmed;
  });

  expect(totalConfirmed).toBe(2 + 4 + 8 + 16);
});

test('an event stored in this very moment counts, however the clock’s microseconds are rounded', async () => {
  for (let count = 0; count < 10; count += 1) {
    const { totalEvents } = await inFrozenTime(testDatabase.database, async (tx) => {
      await insertConfirmed(tx, 1, 'now()');
      return summarizeEvents(tx as Database, USER_ID, 'daily');
    });
    expect(totalEvents).toBe(1);
  }
});

test('the window is that of the database’s clock', async () => {
  const { summary, now } = await inFrozenTime(testDatabase.database, async (tx) => {
    const [row] = await tx.$queryRaw<{ now: Date }[]>`SELECT now()::timestamptz(3) AS now`;
    return { summary: await summarizeEvents(tx as Database, USER_ID, 'weekly'), now: row?.now };
  });

  expect(summary.windowEnd).toBe(now?.toISOString());
});

const USER_ID = '019a0000-0000-7000-8000-000000000000';

/** @param createdAt - an SQL expression */
const insertConfirmed = (tx: Transaction, totalConfirmed: number, createdAt: string) =>
  tx.$executeRawUnsafe(
    `INSERT INTO "NotificationEvent" ("id", "userId", "type", "summary", "createdAt")
     VALUES ($1::uuid, $2::uuid, $3, $4::jsonb, ${createdAt})`,
    uuidv7(),
    USER_ID,
    DOMAIN_EVENTS.SUGGESTION_CONFIRMED,
    JSON.stringify({ totalConfirmed, action: 'accept' }),
  );

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());
