import type pg from 'pg';
import { captureStatement } from '../captured-statement.ts';
import { atMost, atMostTimes, medianTimesMs, type Result } from '../measure.ts';
import type { Servers } from '../servers.ts';

const USER = '019a0000-0000-7000-8000-000000000001';
const ROUNDS = { warmUp: 30, counted: 200 };
const DETAILS =
  '{"source":"inbox","gmailResponse":{"status":"ok"},"note":"Archived","labelChange":{"added":[],"removed":["INBOX"]}}';
const FILTER = { action: 'archive', source: 'inbox' } as const;

/** 100,000 records of one user and 100,000 of 799 more, over three years, in batches of 10,000. */
const insertRecords = async (pool: pg.Pool) => {
  await pool.query(
    `INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details", "batchId")
     SELECT gen_random_uuid(), CASE WHEN n <= 100000 THEN '${USER}' ELSE md5((n % 799)::text) END::uuid,
       'email-' || n, CASE WHEN n % 3 = 0 THEN 'archive' ELSE 'accept' END, now() - random() * interval '3 years',
       '${DETAILS}', md5((n / 10000)::text)::uuid
     FROM generate_series(1, 200000) AS n`,
  );
  await pool.query('VACUUM ANALYZE');
};

/** The list of actions of a user with 100,000 records: the first, the middle and the last page, and filtered ones. */
export const measureHistory = (servers: Servers): Promise<Result[]> =>
  servers.withDatabase(async ({ mailsweep: { history }, pool }) => {
    await insertRecords(pool);
    const list = (query: object) => () => history.list(USER, { page: 1, perPage: 20, ...query });
    const statement = await captureStatement((recorder) =>
      recorder.history.list(USER, { page: 1, perPage: 20 }),
    );
    const { rows } = await pool.query<{ batch: string }>(`SELECT md5('3')::uuid AS batch`);
    const times = await medianTimesMs(
      {
        first: list({}),
        firstRaw: () => pool.query(statement),
        middle: list({ page: 2_500 }),
        last: list({ page: 5_000 }),
        filtered: list({ ...FILTER }),
        filteredLast: list({ ...FILTER, page: 1_666 }),
        batchLast: list({ batch: rows[0]?.batch, page: 500 }),
      },
      ROUNDS,
    );
    const ms = (name: string, target: number, ours: number) =>
      atMost(target, { name: `history, 100,000 records, ${name}`, unit: 'ms', ours });
    return [
      atMostTimes(1.5, {
        name: 'history, 100,000 records, page 1; floor: the same SQL by pg',
        unit: 'ms',
        ours: times.first,
        floor: times.firstRaw,
      }),
      ms('page 1', 30, times.first),
      ms('page 2,500', 60, times.middle),
      ms('page 5,000', 60, times.last),
      ms('by action and source, page 1', 30, times.filtered),
      ms('by action and source, the last page', 60, times.filteredLast),
      ms('of a batch of 10,000, the last page', 60, times.batchLast),
    ];
  });
