import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../../testing/api-harness.ts';

const OVERVIEWS = [
  '/api/v1/senders',
  '/api/v1/suggestions/stored',
  '/api/v1/suggestions/groups',
  '/api/v1/activity',
  `/api/v1/senders/${'0'.repeat(64)}/emails`,
];

test('overviews that take long wait for each other, and delay no other request', async () => {
  const { sent } = await api.testDatabase.database.$transaction(
    async (blocker) => {
      await blocker.$executeRaw`LOCK TABLE "CachedMessage" IN ACCESS EXCLUSIVE MODE`;
      const overviews = Array.from({ length: 9 }, async (_, index) =>
        ada.get(OVERVIEWS[index % OVERVIEWS.length] ?? ''),
      );
      await expect.poll(countBlocked, { timeout: 10_000 }).toBe(1);
      overviews.push(...OVERVIEWS.map(async (path) => grace.get(path)));
      await expect.poll(countBlocked, { timeout: 10_000 }).toBe(2);
      // As many connections wait for the table as queries run, whatever the number of requests.
      for (const user of [grace, ada]) {
        await user.get('/api/v1/me').expect(200);
        await user.get('/api/v1/notifications/history').expect(200);
      }
      expect(await countBlocked()).toBe(2);
      return { sent: overviews };
    },
    { timeout: 30_000 },
  );

  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

/** How many statements wait for the table of cached messages. */
const countBlocked = async () =>
  (
    await api.testDatabase.query(
      `SELECT FROM pg_stat_activity WHERE "datname" = current_database() AND "wait_event_type" = 'Lock'
         AND "query" LIKE '%CachedMessage%'`,
    )
  ).length;

let api: ApiHarness;
let ada: ApiClient;
let grace: ApiClient;
beforeAll(async () => {
  api = await startApi({
    mail: { 'ada@example.com': [{ id: 'one' }], 'grace@example.com': [{ id: 'two' }] },
  });
  [ada, grace] = [await api.signIn(), await api.signIn('grace@example.com')];
});
afterAll(() => api.close());
