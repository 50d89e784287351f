import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from './testing/api-harness.ts';

/** Requests that insert a row with a foreign key to the user, and the table that they insert into. */
test.each([
  ['starts a scan', 'MailboxScan', (user: ApiClient) => user.post('/api/v1/scans', {})],
  [
    'changes preferences',
    'UserPreferences',
    (user: ApiClient) => user.patch('/api/v1/me/preferences', { historyRetentionDays: 30 }),
  ],
  ['reads a mailbox for the first time', 'MailboxSync', (user: ApiClient) => user.get('/api/v1/emails')],
])('R43: a request that %s while its user is erased gets 401', async (_name, table, send) => {
  const user = await api.signIn();
  const { sent } = await api.testDatabase.database.$transaction(
    async (erasure) => {
      await erasure.user.delete({ where: { id: user.userId } });
      const response = send(user).then(({ status, body }) => ({ status, code: body.code }));
      // Authenticated by a session whose deletion is not committed yet, the request waits for the deleted row.
      await expect.poll(() => countBlocked(table), { timeout: 10_000 }).toBe(1);
      return { sent: response };
    },
    { timeout: 20_000 },
  );

  expect(await sent).toEqual({ status: 401, code: 'unauthorized' });
  expect(await api.testDatabase.query(`SELECT FROM "${table}"`)).toEqual([]);
  await user.get('/api/v1/me').expect(401);
  expect(api.logLines.filter((line) => line.includes('"level":50'))).toEqual([]);
});

/** How many statements on a table wait for a lock. */
const countBlocked = async (table: string) =>
  (
    await api.testDatabase.query(
      `SELECT FROM pg_stat_activity WHERE "datname" = current_database() AND "wait_event_type" = 'Lock'
         AND "query" LIKE '%' || $1 || '%'`,
      [`"${table}"`],
    )
  ).length;

let api: ApiHarness;
beforeAll(async () => {
  api = await startApi({ mail: { 'ada@example.com': [{ id: 'one' }] } });
});
afterAll(() => api.close());
