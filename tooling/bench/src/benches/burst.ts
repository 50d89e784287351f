import { setTimeout as sleep } from 'node:timers/promises';
import { buildSuggestionsGenerated } from '@mailsweep/contracts';
import { atMost, atMostTimes, percentile, type Result, timeMs } from '../measure.ts';
import { smallMailbox } from '../product/small-mailbox.ts';
import { type SignedIn, startProduct } from '../product/start-product.ts';
import type { Servers } from '../servers.ts';

const EVENTS = 100_000;
const USERS = 8;
/** Between two requests of all users together, in milliseconds. */
const PAUSE_MS = 50;
const IDLE_MS = 10_000;
const LONGEST_MS = 600_000;
const PATHS = ['/api/v1/me', '/api/v1/notifications/history', '/api/v1/notifications/summary'];

/** Asks for pages in turn, at a steady rate, until told otherwise; resolves to the times in milliseconds. */
const useApi = async (users: readonly SignedIn[], isOver: () => boolean): Promise<number[]> => {
  const times: Promise<number>[] = [];
  for (let request = 0; !isOver(); request += 1) {
    const user = users[request % users.length] as SignedIn;
    times.push(timeMs(() => user.ask(PATHS[request % PATHS.length] as string)));
    await sleep(PAUSE_MS);
  }
  return Promise.all(times);
};

/**
 * 100,000 domain events of users who do nothing else enter the outbox at once, as after a long outage of the queue: how
 * long people who use the API meanwhile wait, and whether each event is stored exactly once.
 */
export const measureBurst = async (servers: Servers): Promise<Result[]> => {
  const results: Result[] = [];
  for (const [kind, redisUrl] of [['Postgres', null] as const, ['Redis', servers.redisUrl] as const]) {
    if (kind === 'Redis' && redisUrl === null) continue;
    await servers.withDatabase(async ({ url, pool }) => {
      const emails = Array.from({ length: USERS }, (_, index) => `user-${index}@example.com`);
      await using product = await startProduct({
        databaseUrl: url,
        redisUrl,
        workers: 1,
        mailboxes: emails.map(smallMailbox),
      });
      const users: SignedIn[] = [];
      for (const email of emails) users.push(await product.signIn(email));
      await useApi(users, after(IDLE_MS / 2));
      const idle = await useApi(users, after(IDLE_MS));

      const { rows } = await pool.query<{ id: string }>(
        `INSERT INTO "User" ("id", "providerSubject", "email", "updatedAt")
         VALUES (gen_random_uuid(), 'burst', 'burst@example.com', now()) RETURNING "id"`,
      );
      const userId = rows[0]?.id ?? '';
      const event = buildSuggestionsGenerated({ userId, emails: [], generatedAt: new Date() });
      await pool.query(
        `INSERT INTO "OutboxEvent" ("id", "type", "userId", "payload")
         SELECT gen_random_uuid(), $1, $2, $3 FROM generate_series(1, $4)`,
        [event.type, userId, event, EVENTS],
      );
      let stored = 0;
      const count = async () => {
        const { rows: counts } = await pool.query<{ count: number }>(
          'SELECT count(*)::int AS count FROM "NotificationEvent" WHERE "userId" = $1',
          [userId],
        );
        stored = counts[0]?.count ?? 0;
      };
      const isLate = after(LONGEST_MS);
      const startedMs = performance.now();
      const counting = (async () => {
        for (await count(); stored < EVENTS && !isLate(); await count()) await sleep(1_000);
      })();
      const busy = await useApi(users, () => stored >= EVENTS || isLate());
      await counting;
      const seconds = (performance.now() - startedMs) / 1_000;
      process.stdout.write(
        `${kind}: ${stored} events stored in ${seconds.toFixed(0)} s, ${busy.length} requests\n`,
      );
      results.push(
        atMost(0, {
          name: `events not stored exactly once, queue on ${kind}`,
          unit: 'calls',
          ours: EVENTS - stored,
        }),
        atMostTimes(3, {
          name: `requests during the burst, 95th percentile, queue on ${kind}; floor: before it`,
          unit: 'ms',
          ours: percentile(95, busy),
          floor: percentile(95, idle),
        }),
      );
    });
  }
  return results;
};

const after = (ms: number): (() => boolean) => {
  const endMs = performance.now() + ms;
  return () => performance.now() > endMs;
};
