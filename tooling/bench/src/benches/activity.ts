import type pg from 'pg';
import { atMost, percentile, type Result, timeMs } from '../measure.ts';
import type { Servers } from '../servers.ts';

const USER = '019a0000-0000-7000-8000-000000000001';
const RECORDS = 100_000;
const SENDERS = 2_000;
const ROUNDS = { warmUp: 3, counted: 40 };

/** Email ids as Gmail gives them: hexadecimal, and in no order. */
const EMAIL_ID = `substr(md5(n::text), 1, 16)`;

/**
 * Records of a user over a year, in batches of 1,000: most emails once, some twice; three in four from suggestions, some
 * undone. Every email is cached, a quarter of them in the inbox.
 */
const insertUser = async (pool: pg.Pool) => {
  await pool.query(
    `INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1::uuid, 'heavy', 'heavy@example.com')`,
    [USER],
  );
  await pool.query(`INSERT INTO "MailboxSync" ("userId", "historyId", "generation") VALUES ($1, 1, 1)`, [
    USER,
  ]);
  await pool.query(
    `INSERT INTO "CachedMessage" ("userId", "emailId", "generation", "historyId", "labels", "receivedAt", "sizeBytes",
       "attachmentCount", "attachmentBytes", "senderKey", "encryptedText")
     SELECT $1, ${EMAIL_ID}, 1, 1, CASE WHEN n % 4 = 0 THEN '{INBOX}' ELSE '{}' END::text[],
       now() - n * interval '5 minutes', n % 90000, 0, 0, sha256((n % $3)::text::bytea), repeat('x', 500)
     FROM generate_series(1, $2::int) AS n`,
    [USER, RECORDS, SENDERS],
  );
  await pool.query(
    `INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details", "undoneAt", "batchId")
     SELECT gen_random_uuid(), $1, ${EMAIL_ID.replaceAll('n::', '(n % 90000)::')},
       CASE n / 1000 % 4 WHEN 0 THEN 'archive' WHEN 1 THEN 'reject' ELSE 'accept' END,
       now() - interval '1 year' + (n / 1000) * interval '3.6 days',
       jsonb_build_object('source', CASE n / 1000 % 4 WHEN 0 THEN 'inbox' ELSE 'cleanup' END,
         'gmailResponse', jsonb_build_object('status', CASE n / 1000 % 4 WHEN 1 THEN 'skipped' ELSE 'ok' END),
         'note', 'Accepted', 'labelChange', jsonb_build_object('added', '[]'::jsonb, 'removed', '["INBOX"]'::jsonb),
         'suggestions', jsonb_build_array(jsonb_build_object('action', (ARRAY['archive', 'delete', 'label'])[1 + n % 3],
           'classification', 'class-' || n % 12, 'confidence_score', 0.9))),
       CASE WHEN n / 1000 % 25 = 0 THEN now() END, md5((n / 1000)::text)::uuid
     FROM generate_series(1, $2::int) AS n`,
    [USER, RECORDS],
  );
  await pool.query('VACUUM ANALYZE');
};

/** What a user with 100,000 history records has cleaned and decided. */
export const measureActivity = (servers: Servers): Promise<Result[]> =>
  servers.withDatabase(async ({ mailsweep: { history }, pool }) => {
    await insertUser(pool);
    const results: Result[] = [];
    for (const period of [undefined, 'weekly'] as const) {
      const times: number[] = [];
      for (let round = -ROUNDS.warmUp; round < ROUNDS.counted; round += 1) {
        const spentMs = await timeMs(() => history.getActivity(USER, period));
        if (round >= 0) times.push(spentMs);
      }
      const name = `activity, ${period ?? 'all-time'}, 100,000 records`;
      results.push(
        atMost(200, { name: `${name}, median`, unit: 'ms', ours: percentile(50, times) }),
        atMost(200, { name: `${name}, 95th percentile`, unit: 'ms', ours: percentile(95, times) }),
      );
    }
    return results;
  });
