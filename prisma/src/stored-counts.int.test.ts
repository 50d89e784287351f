import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrateDatabase, rollbackMigration } from './migrate.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

/** Each of these counts what was there before it. */
const COUNTING_MIGRATIONS = ['20261109000000_counts_by_span', '20261107000000_counts_and_rollups'];
const USERS = 3;

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

/** Rows of several people, over days with and without any; the same ones every time. */
const insertRows = async () => {
  await db.query(
    `INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details")
     SELECT md5('history' || n)::uuid, md5('user' || n % $1)::uuid, 'email', 'archive',
       timestamptz '2026-01-01T00:00:00Z' + n * n * interval '7 min', '{}'
     FROM generate_series(1, 200) AS n`,
    [USERS],
  );
  await db.query(
    `INSERT INTO "NotificationEvent" ("id", "userId", "type", "summary", "createdAt")
     SELECT md5('event' || n)::uuid, md5('user' || n % $1)::uuid,
       CASE WHEN n % 2 = 0 THEN 'domain.suggestions.generated' ELSE 'domain.suggestions.confirmed' END,
       CASE WHEN n % 2 = 0
         THEN jsonb_build_object('totalSuggestions', n, 'actionCounts', jsonb_build_object('archive', n))
         ELSE jsonb_build_object('totalConfirmed', n, 'action', 'accept') END,
       timestamptz '2026-01-01T00:00:00Z' + n * n * interval '1 min'
     FROM generate_series(1, 200) AS n`,
    [USERS],
  );
};

const readCounts = () =>
  db.query(`
    SELECT 'history' AS of, "userId", "day"::text AS key, to_jsonb("count") AS counts FROM "ActionHistoryDay"
    UNION ALL
    SELECT 'events', "userId", "type" || "day", to_jsonb("count") FROM "NotificationEventDay"
    UNION ALL
    SELECT 'history of spans', "userId", "start"::text, to_jsonb("count") FROM "ActionHistorySpan"
    UNION ALL
    SELECT 'events of spans', "userId", "start" || "type", to_jsonb("count") FROM "NotificationEventSpan"
    UNION ALL
    SELECT 'rollups', "userId", "start"::text, "counts" FROM "NotificationRollup"
    ORDER BY 1, 2, 3`);

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
