import { listActionHistory } from '@mailsweep/core';
import type pg from 'pg';
import { captureStatement } from '../captured-statement.ts';
import { atMost, atMostTimes, medianTimesMs, type Result } from '../measure.ts';
import type { Servers } from '../servers.ts';

const HEAVY_USER = '019a0000-0000-7000-8000-000000000001';
const LIGHT_USER = '019a0000-0000-7000-8000-000000000002';
const ROUNDS = { warmUp: 30, counted: 200 };
const DETAILS =
  '{"source":"inbox","gmailResponse":{"status":"ok"},"note":"Archived","labelChange":{"added":[],"removed":["INBOX"]}}';

/** 1,000,000 records of one user, 1,000 of another and 100,000 of 799 more, spread over so many days. */
const insertRecords = async (pool: pg.Pool, days: number) => {
  await pool.query(
    `INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details", "batchId")
     SELECT gen_random_uuid(),
       CASE WHEN n <= 1000000 THEN '${HEAVY_USER}' WHEN n <= 1001000 THEN '${LIGHT_USER}' ELSE md5((n % 799)::text) END::uuid,
       'email-' || n, 'archive', now() - random() * $1 * interval '1 day', '${DETAILS}', gen_random_uuid()
     FROM generate_series(1, 1101000) AS n`,
    [days],
  );
  await pool.query('VACUUM ANALYZE');
};

/** The list of actions: page 1 and page 10,000, of a heavy user and of a light one, over years and within a month. */
export const measureHistory = async (servers: Servers): Promise<Result[]> => {
  const results: Result[] = [];
  for (const days of [3 * 365, 30]) {
    const spread = `over ${days} days`;
    await servers.withDatabase(async ({ database, pool }) => {
      await insertRecords(pool, days);
      const list = (userId: string, page: number) => () =>
        listActionHistory(database, userId, { page, perPage: 20 });
      const raw = async (userId: string, page: number) => {
        const statement = await captureStatement((recorder) =>
          listActionHistory(recorder, userId, { page, perPage: 20 }),
        );
        return () => pool.query(statement);
      };
      const times = await medianTimesMs(
        {
          first: list(HEAVY_USER, 1),
          firstRaw: await raw(HEAVY_USER, 1),
          deep: list(HEAVY_USER, 10_000),
          deepRaw: await raw(HEAVY_USER, 10_000),
          light: list(LIGHT_USER, 1),
          plain: () =>
            pool.query(
              `SELECT *, (SELECT count(*) FROM "ActionHistory" WHERE "userId" = $1) FROM "ActionHistory"
               WHERE "userId" = $1 ORDER BY "timestamp" DESC, "id" DESC LIMIT 20`,
              [HEAVY_USER],
            ),
        },
        ROUNDS,
      );
      results.push(
        atMostTimes(1.5, {
          name: `history, page 1, records ${spread}; floor: the same SQL by pg`,
          unit: 'ms',
          ours: times.first,
          floor: times.firstRaw,
        }),
        atMostTimes(1, {
          name: `history, page 1, records ${spread}; floor: live count(*) and LIMIT by pg`,
          unit: 'ms',
          ours: times.first,
          floor: times.plain,
        }),
        atMostTimes(1.5, {
          name: `history, page 10,000, records ${spread}; floor: the same SQL by pg`,
          unit: 'ms',
          ours: times.deep,
          floor: times.deepRaw,
        }),
        atMost(10, { name: `history, page 10,000, records ${spread}`, unit: 'ms', ours: times.deep }),
        atMostTimes(1 / 0.8, {
          name: `history, heavy user against light user, records ${spread}`,
          unit: 'ms',
          ours: times.first,
          floor: times.light,
        }),
      );
    });
  }
  return results;
};
