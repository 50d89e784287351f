import { DOMAIN_EVENTS } from '@mailsweep/contracts';
import type pg from 'pg';
import { atMost, medianTimesMs, type Result } from '../measure.ts';
import type { Servers } from '../servers.ts';

const HEAVY_USER = '019a0000-0000-7000-8000-000000000001';
const LIGHT_USER = '019a0000-0000-7000-8000-000000000002';
const ROUNDS = { warmUp: 10, counted: 60 };

const insertEvents = async (pool: pg.Pool, userId: string, count: number, days: number) => {
  await pool.query(
    `INSERT INTO "NotificationEvent" ("id", "userId", "type", "summary", "createdAt")
     SELECT gen_random_uuid(), $1, '${DOMAIN_EVENTS.SUGGESTIONS_GENERATED}',
       jsonb_build_object('totalSuggestions', 20,
         'sampledEmails', jsonb_build_array(jsonb_build_object('id', 'email-' || n, 'subject', 'Your digest ' || n)),
         'actionCounts', jsonb_build_object('archive', n % 15, 'delete', 3, 'label', n % 2, 'notify', 1),
         'classificationCounts', jsonb_build_object('bulk', n % 9, 'stale_unread', 2, 'receipt', n % 4, 'promotions_old', 3)),
       now() - random() * $3 * interval '1 day'
     FROM generate_series(1, $2::int) AS n`,
    [userId, count, days],
  );
};

/** The summary with 100,000 events in its window, and with 100. */
export const measureSummary = async (servers: Servers): Promise<Result[]> => {
  const results: Result[] = [];
  for (const [period, days] of [
    ['daily', 1],
    ['weekly', 7],
    [undefined, 3 * 365],
  ] as const) {
    await servers.withDatabase(async ({ mailsweep: { history }, pool }) => {
      await insertEvents(pool, HEAVY_USER, 100_000, days);
      await insertEvents(pool, LIGHT_USER, 100, days);
      await pool.query('VACUUM ANALYZE');
      const times = await medianTimesMs(
        {
          heavy: () => history.summarizeEvents(HEAVY_USER, period),
          light: () => history.summarizeEvents(LIGHT_USER, period),
        },
        ROUNDS,
      );
      const window = period ?? 'all-time';
      results.push(
        atMost(50, { name: `summary, ${window}, 100,000 events in it`, unit: 'ms', ours: times.heavy }),
        atMost(3, { name: `summary, ${window}, 100 events in it`, unit: 'ms', ours: times.light }),
      );
    });
  }
  return results;
};
