import type { Pool } from 'pg';
import { atMostTimes, median, type Result, timeMs } from '../measure.ts';
import { smallMailbox } from '../product/small-mailbox.ts';
import { type SignedIn, startProduct } from '../product/start-product.ts';
import type { Servers } from '../servers.ts';

const EMAILS_OF_A_USER = 10_000;
const USERS = 500;
const ROUNDS = 15;
const READS: Record<string, string> = {
  'the overview of senders': '/api/v1/senders',
  'the first page of the inbox': '/api/v1/emails?pageSize=30',
  'the history, first page': '/api/v1/notifications/history',
};

/** Cached emails as a scan leaves them: 2,000 senders in each mailbox. */
const fillMailboxes = async (pool: Pool, userIds: readonly string[]): Promise<void> => {
  await pool.query(
    `INSERT INTO "MailboxSync" ("userId", "historyId") SELECT unnest($1::uuid[]), 1 ON CONFLICT ("userId") DO NOTHING`,
    [userIds],
  );
  await pool.query(
    `INSERT INTO "CachedMessage" ("userId", "emailId", "threadId", "generation", "historyId", "labels", "receivedAt",
       "sizeBytes", "attachmentCount", "attachmentBytes", "senderKey", "encryptedText")
     SELECT sync."userId", 'cached-' || number, 'cached-' || number, sync."generation", 1,
       ARRAY['INBOX', 'UNREAD', 'CATEGORY_PROMOTIONS'], now() - number * interval '1 hour', 20000, 0, 0,
       sha256((number % 2000)::text::bytea), repeat('x', 300)
     FROM "MailboxSync" AS sync, generate_series(1, $2::int) AS number WHERE sync."userId" = ANY($1::uuid[])`,
    [userIds, EMAILS_OF_A_USER],
  );
};

const readAll = async (user: SignedIn): Promise<Record<string, number>> => {
  const medians: Record<string, number> = {};
  for (const [name, path] of Object.entries(READS)) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) times.push(await timeMs(() => user.ask(path)));
    medians[name] = median(times.slice(3));
  }
  return medians;
};

/** What a user with 10,000 cached emails waits for, alone in the database, and among 500 such users (5 million emails). */
export const measureLargeDatabase = (servers: Servers): Promise<Result[]> =>
  servers.withDatabase(async ({ url, pool }) => {
    const email = 'ada@example.com';
    await using product = await startProduct({ databaseUrl: url, mailboxes: [smallMailbox(email)] });
    const user = await product.signIn(email);
    const { rows } = await pool.query<{ id: string }>('SELECT "id" FROM "User"');
    await user.ask('/api/v1/emails');
    await fillMailboxes(
      pool,
      rows.map(({ id }) => id),
    );
    await pool.query('ANALYZE');
    const alone = await readAll(user);

    const others = await pool.query<{ id: string }>(
      `INSERT INTO "User" ("id", "providerSubject", "email", "updatedAt")
       SELECT id, id::text, id || '@example.com', now()
       FROM (SELECT gen_random_uuid() AS id FROM generate_series(2, $1)) AS new RETURNING "id"`,
      [USERS],
    );
    for (let start = 0; start < others.rows.length; start += 50) {
      await fillMailboxes(
        pool,
        others.rows.slice(start, start + 50).map(({ id }) => id),
      );
      process.stdout.write(`${(start + 50) * EMAILS_OF_A_USER} emails\n`);
    }
    await pool.query('ANALYZE');
    const size = await pool.query<{ bytes: string; emails: string }>(
      `SELECT pg_total_relation_size('"CachedMessage"') AS bytes, count(*) AS emails FROM "CachedMessage"`,
    );
    const { bytes, emails } = size.rows[0] as { bytes: string; emails: string };
    process.stdout.write(
      `${emails} cached emails, ${(Number(bytes) / 1e9).toFixed(1)} GB, ${Math.round(Number(bytes) / Number(emails))} bytes for each\n`,
    );
    const among = await readAll(user);
    return Object.keys(READS).map((name) =>
      atMostTimes(1.5, {
        name: `${name} among 5 million cached emails; floor: among the 10,000 of the user`,
        unit: 'ms',
        ours: among[name] ?? Number.NaN,
        floor: alone[name] ?? Number.NaN,
      }),
    );
  });
