import type { SuggestionGrouping } from '@mailsweep/contracts';
import type pg from 'pg';
import { atMost, medianTimesMs, type Result } from '../measure.ts';
import type { Servers } from '../servers.ts';

/** The user whose queue is measured. */
export const USER = '019a0000-0000-7000-8000-000000000001';
/** A mailbox with a suggestion for each email, and how many more emails of its senders were decided about. */
export interface QueueSize {
  emails: number;
  senders: number;
  decisions: number;
}
const SIZE: QueueSize = { emails: 100_000, senders: 2_000, decisions: 10_000 };
const ROUNDS = { warmUp: 2, counted: 15 };
const LIMIT_MS = 700;

/** Email ids as Gmail gives them: hexadecimal, and in no order. */
const EMAIL_ID = `substr(md5(n::text), 1, 16)`;
const toSenderKey = ({ senders }: QueueSize) => `sha256((n % ${senders})::text::bytea)`;
const SUGGESTIONS = `jsonb_build_array(jsonb_build_object('action', (ARRAY['archive', 'delete', 'label'])[1 + n % 3],
  'classification', 'class-' || n % 12, 'confidence_score', 0.65 + n % 33 / 100.0))`;

/** The same as decided about: half of them were called sure. */
const DECIDED = `jsonb_set(${SUGGESTIONS}, '{0,acceptance}', to_jsonb(0.9 + n % 2 * 0.06))`;

/** A mailbox in which every email has a suggestion, one in a hundred is starred, and the user wrote in some conversations. */
export const insertMailbox = async (pool: pg.Pool, size: QueueSize) => {
  await pool.query(
    `INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1::uuid, 'heavy', 'heavy@example.com')`,
    [USER],
  );
  await pool.query(`INSERT INTO "MailboxSync" ("userId", "historyId", "generation") VALUES ($1, 1, 1)`, [
    USER,
  ]);
  await pool.query(
    `INSERT INTO "CachedMessage" ("userId", "emailId", "threadId", "generation", "historyId", "labels", "receivedAt",
       "sizeBytes", "attachmentCount", "attachmentBytes", "senderKey", "encryptedText")
     SELECT $1, ${EMAIL_ID}, 't' || n % 90000, 1, 1,
       CASE WHEN n % 500 = 0 THEN '{SENT}' WHEN n % 100 = 1 THEN '{INBOX,STARRED}' ELSE '{INBOX}' END::text[],
       now() - n * interval '5 minutes', n % 90000, 0, 0, ${toSenderKey(size)}, repeat('x', 500)
     FROM generate_series(1, $2::int) AS n`,
    [USER, size.emails],
  );
  await pool.query(
    `INSERT INTO "EmailSuggestion" ("userId", "emailId", "suggestions", "generatedAt")
     SELECT $1, ${EMAIL_ID}, ${SUGGESTIONS}, now() FROM generate_series(1, $2::int) AS n`,
    [USER, size.emails],
  );
  await pool.query('VACUUM ANALYZE');
};

/** Decisions about earlier email of every sender, a fifth of them rejections: the user has doubts. */
export const insertDecisions = async (pool: pg.Pool, size: QueueSize) => {
  await pool.query(
    `INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details", "senderKey", "batchId")
     SELECT gen_random_uuid(), $1, ${EMAIL_ID}, CASE WHEN n % 5 = 0 THEN 'reject' ELSE 'accept' END,
       now() - interval '1 day' + n * interval '1 second',
       jsonb_build_object('source', 'suggestions', 'gmailResponse', jsonb_build_object('status', 'ok'), 'note', '',
         'labelChange', jsonb_build_object('added', '[]'::jsonb, 'removed', '["INBOX"]'::jsonb),
         'suggestions', ${DECIDED}), ${toSenderKey(size)}, gen_random_uuid()
     FROM generate_series($2::int + 1, $2::int + $3::int) AS n`,
    [USER, size.emails, size.decisions],
  );
  await pool.query('VACUUM ANALYZE');
};

/** Accepts everything in the queue, and undoes that. */
export const acceptAllAndUndo = async (pool: pg.Pool, size: QueueSize) => {
  await pool.query(
    `INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details", "senderKey")
     SELECT gen_random_uuid(), $1, ${EMAIL_ID}, 'accept', now(),
       jsonb_build_object('source', 'suggestions', 'suggestions', ${DECIDED}), ${toSenderKey(size)}
     FROM generate_series(1, $2::int) AS n`,
    [USER, size.emails],
  );
  await pool.query(
    `UPDATE "ActionHistory" SET "undoneAt" = now() WHERE "timestamp" > now() - interval '1 hour'`,
  );
};

/** The queue of a user with 100,000 open suggestions, grouped, before and after there are decisions to learn from. */
export const measureSuggestionGroups = (servers: Servers): Promise<Result[]> =>
  servers.withDatabase(async ({ mailsweep, pool }) => {
    const list = (by: SuggestionGrouping) => () =>
      mailsweep.suggestions.listGroups(USER, { by, page: 1, perPage: 20 });
    const measure = async (user: string): Promise<Result[]> => {
      const times = await medianTimesMs(
        { classification: list('classification'), sender: list('sender') },
        ROUNDS,
      );
      return Object.entries(times).map(([by, ours]) =>
        atMost(LIMIT_MS, { name: `groups by ${by}, 100,000 suggestions, ${user}`, unit: 'ms', ours }),
      );
    };
    await insertMailbox(pool, SIZE);
    const results = await measure('new user');
    await insertDecisions(pool, SIZE);
    return [...results, ...(await measure('10,000 decisions'))];
  });
