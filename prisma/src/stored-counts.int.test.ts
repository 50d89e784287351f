import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrateDatabase, rollbackMigration } from './migrate.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

const SUMMED_LATER = '20261121000000_summed_later';
/** Each of these counts what was there before it, or takes over what was counted. */
const COUNTING_MIGRATIONS = [
  SUMMED_LATER,
  '20261111000000_history_totals',
  '20261109000000_counts_by_span',
  '20261107000000_counts_and_rollups',
];
const USERS = 3;
/** So few that they wait in the log. */
const FEWER_THAN_ADDED_UP = 50;

test.each(COUNTING_MIGRATIONS)(
  'rows from before %s are counted as those that come after',
  async (migration) => {
    while ((await rollbackMigration({ databaseUrl: db.url })) !== migration);
    await db.query('TRUNCATE "ActionHistory", "NotificationEvent"');
    await insertRows();
    await migrateDatabase({ databaseUrl: db.url });
    const backFilled = await readCounts();

    await db.query('TRUNCATE "ActionHistory", "NotificationEvent"');
    expect(await readCounts()).toEqual([]);
    await insertRows();
    expect(backFilled.length).toBeGreaterThan(3 * USERS);
    expect(await readCounts()).toEqual(backFilled);
  },
);

test('rolling back adds to the rollups what they did not know yet', async () => {
  while ((await rollbackMigration({ databaseUrl: db.url })) !== SUMMED_LATER);
  await db.query('TRUNCATE "ActionHistory", "NotificationEvent"');
  await insertRows(FEWER_THAN_ADDED_UP);
  const rollups = await readRollups();
  await migrateDatabase({ databaseUrl: db.url });
  await db.query('TRUNCATE "ActionHistory", "NotificationEvent"');
  await insertRows(FEWER_THAN_ADDED_UP);
  expect(await readRollups()).toEqual([]);
  while ((await rollbackMigration({ databaseUrl: db.url })) !== SUMMED_LATER);
  expect(await readRollups()).toEqual(rollups);
  expect(rollups.length).toBeGreaterThan(USERS);
  await migrateDatabase({ databaseUrl: db.url });
});

/** Rows of several people, over days with and without any; the same ones every time. */
const insertRows = async (count = 200) => {
  await db.query(
    `INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details")
     SELECT md5('history' || n)::uuid, md5('user' || n % $1)::uuid, 'email',
       CASE WHEN n % 2 = 0 THEN 'archive' ELSE 'reject' END,
       timestamptz '2026-01-01T00:00:00Z' + n * n * interval '7 min',
       CASE WHEN n % 3 = 0 THEN '{}' ELSE '{"source": "inbox"}' END::jsonb
     FROM generate_series(1, $2::int) AS n`,
    [USERS, count],
  );
  await db.query(
    `INSERT INTO "NotificationEvent" ("id", "userId", "type", "summary", "createdAt")
     SELECT md5('event' || n)::uuid, md5('user' || n % $1)::uuid,
       CASE WHEN n % 2 = 0 THEN 'domain.suggestions.generated' ELSE 'domain.suggestions.confirmed' END,
       CASE WHEN n % 2 = 0
         THEN jsonb_build_object('totalSuggestions', n, 'actionCounts', jsonb_build_object('archive', n))
         ELSE jsonb_build_object('totalConfirmed', n, 'action', 'accept') END,
       timestamptz '2026-01-01T00:00:00Z' + n * n * interval '1 min'
     FROM generate_series(1, $2::int) AS n`,
    [USERS, count],
  );
};

const readRollups = () =>
  db.query('SELECT "userId", "start"::text, "counts" FROM "NotificationRollup" ORDER BY 1, 2');

/** The counts, once the rollups know everything. */
const readCounts = async () => {
  await db.query('SELECT "addUpNotificationDeltas"()');
  return db.query(`
    SELECT 'history of all time' AS of, "userId", "action" || "source" AS key, to_jsonb("count") AS counts FROM "ActionHistoryTotal"
    UNION ALL
    SELECT 'history of months', "userId", "month"::text, to_jsonb("count") FROM "ActionHistoryMonth"
    UNION ALL
    SELECT 'history', "userId", "day"::text, to_jsonb("count") FROM "ActionHistoryDay"
    UNION ALL
    SELECT 'events', "userId", "type" || "day", to_jsonb("count") FROM "NotificationEventDay"
    UNION ALL
    SELECT 'history of spans', "userId", "start"::text, to_jsonb("count") FROM "ActionHistorySpan"
    UNION ALL
    SELECT 'events of spans', "userId", "start" || "type", to_jsonb("count") FROM "NotificationEventSpan"
    UNION ALL
    SELECT 'rollups', "userId", "start"::text, "counts" FROM "NotificationRollup"
    ORDER BY 1, 2, 3`);
};

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
