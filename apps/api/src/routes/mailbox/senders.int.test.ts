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

test('R42: users with emails from the same senders share no sender id, and get for another’s what an unknown one gets', async () => {
  // Reading the mailboxes fills the cache that senders are listed from.
  for (const user of [ada, grace]) await user.get('/api/v1/suggestions?pageSize=100').expect(200);
  const [ofAda, ofGrace] = [await listSenderIds(ada), await listSenderIds(grace)];
  expect([ofAda.length, ofGrace.length]).toEqual([SENDERS.length, SENDERS.length]);
  expect(ofAda.filter((id) => ofGrace.includes(id))).toEqual([]);
  const stored = await api.testDatabase.query<{ users: number }>(
    'SELECT count(DISTINCT "userId")::int AS "users" FROM "CachedMessage" GROUP BY "senderKey"',
  );
  expect(stored).toEqual(Array(2 * SENDERS.length).fill({ users: 1 }));

  for (const [ids, owner, other] of [
    [ofAda, ada, grace],
    [ofGrace, grace, ada],
  ] as const) {
    for (const id of ids) {
      expect((await owner.get(`/api/v1/senders/${id}/emails`).expect(200)).body.total).toBe(1);
      for (const toPath of [
        (sender: string) => `/api/v1/senders/${sender}/emails`,
        (sender: string) => `/api/v1/suggestions/stored?sender=${sender}`,
      ]) {
        const foreign = await other.get(toPath(id)).expect(200);
        expect(foreign.body).toMatchObject({ total: 0, data: [] });
        expect(foreign.text).toBe((await other.get(toPath('0'.repeat(64)))).text);
      }
    }
  }
});

const listSenderIds = async (user: ApiClient): Promise<string[]> =>
  (await user.get('/api/v1/senders?perPage=100').expect(200)).body.data.map(({ id }: { id: string }) => id);

/** How many statements wait for the table of cached messages. */
const countBlocked = async () =>
  (
    await api.testDatabase.query(
      `SELECT FROM pg_stat_activity WHERE "datname" = current_database() AND "wait_event_type" = 'Lock'
         AND "query" LIKE '%CachedMessage%'`,
    )
  ).length;

const SENDERS = Array.from({ length: 12 }, (_, index) => `Shop ${index} <news@shop-${index}.example>`);
const mailOf = (name: string) => SENDERS.map((from, index) => ({ id: `${name}-${index}`, from }));

let api: ApiHarness;
let ada: ApiClient;
let grace: ApiClient;
beforeAll(async () => {
  api = await startApi({
    mail: { 'ada@example.com': mailOf('ada'), 'grace@example.com': mailOf('grace') },
  });
  [ada, grace] = [await api.signIn(), await api.signIn('grace@example.com')];
});
afterAll(() => api.close());
