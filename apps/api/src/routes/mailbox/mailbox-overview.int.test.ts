import { MailboxOverviewSchema } from '@mailsweep/contracts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../../testing/api-harness.ts';

const OVERVIEW = '/api/v1/mailbox';

test('counts the inbox and each category by their labels, for at most ten quota units', async () => {
  const { mark } = await askQuota('POST', '/marks');
  const { body } = await ada.get(OVERVIEW).expect(200);

  expect(await askQuota('GET', `?since=${mark}`)).toMatchObject({ units: 6 });
  expect(MailboxOverviewSchema.parse(body)).toEqual({
    inbox: { total: 5, unread: 3 },
    categories: [
      { category: 'primary', total: 1, unread: 0 },
      { category: 'promotions', total: 2, unread: 2 },
      { category: 'social', total: 2, unread: 0 },
      { category: 'updates', total: 0, unread: 0 },
      { category: 'forums', total: 0, unread: 0 },
    ],
    countedAt: expect.stringMatching(/Z$/),
  });
});

test('counts all email and the inbox by category on demand, those without one as primary', async () => {
  const { body } = await ada.get(`${OVERVIEW}?detailed=true`).expect(200);
  const { all, inboxCategories } = MailboxOverviewSchema.parse(body);
  expect(all).toBe(6);
  expect(inboxCategories).toEqual([
    { category: 'primary', total: 2 },
    { category: 'promotions', total: 2 },
    { category: 'social', total: 1 },
    { category: 'updates', total: 0 },
    { category: 'forums', total: 0 },
  ]);
  const listed = await ada.get('/api/v1/emails?category=primary').expect(200);
  expect(listed.body.emails).toHaveLength(2);
  const refused = await ada.get(`${OVERVIEW}?detailed=perhaps`).expect(400);
  expect(refused.body.errors).toMatchObject([{ path: 'detailed' }]);
});

test('counts again each time, and stores the last size of the inbox of each day', async () => {
  await ada.get(OVERVIEW).expect(200);
  await api.testDatabase.query(`UPDATE "InboxSize" SET "day" = "day" - 1`);
  await ada.get(OVERVIEW).expect(200);
  await api.google.changeLabels('promotion-1', { removed: ['INBOX', 'UNREAD'] });
  const { body } = await ada.get(OVERVIEW).expect(200);

  expect(body.inbox).toEqual({ total: 4, unread: 2 });
  expect(await listSizes(ada.userId)).toEqual([
    { age: 1, total: 5, unread: 3 },
    { age: 0, total: 4, unread: 2 },
  ]);
  expect(await listSizes(grace.userId)).toEqual([]);
  await api.google.changeLabels('promotion-1', { added: ['INBOX', 'UNREAD'] });
});

test('a category whose label the account does not have is empty', async () => {
  api.google.fail({ path: /\/labels\/CATEGORY_PROMOTIONS/, times: 1, status: 404 });
  const { body } = await ada.get(OVERVIEW).expect(200);

  expect(body.categories).toContainEqual({ category: 'promotions', total: 0, unread: 0 });
});

test.each([
  [503, 503, 'mailbox_unavailable'],
  [429, 503, 'rate_limited'],
])('responds to %i of Gmail with %i %s, and stores no size', async (gmailStatus, status, code) => {
  const headers = { 'retry-after': '3600' };
  api.google.fail({ path: /\/labels\/INBOX/, times: 1, status: gmailStatus, headers });
  const response = await ada.get(OVERVIEW).expect(status);

  expect(response.body.code).toBe(code);
  expect(response.headers['retry-after']).toBeDefined();
  expect(await listSizes(ada.userId)).toEqual([]);
});

test('needs a sign-in that is still good at Google', async () => {
  await api.testDatabase.query(
    `UPDATE "ProviderConnection" SET "reauthRequiredAt" = now() WHERE "userId" = $1`,
    [grace.userId],
  );
  expect((await grace.get(OVERVIEW).expect(401)).body.code).toBe('reauth_required');
});

test('sizes are exported, and erased with their user', async () => {
  const bob = await api.signIn('grace@example.com');
  await bob.get(OVERVIEW).expect(200);
  const { body } = await bob.get('/api/v1/me/export').expect(200);
  expect(body.data.InboxSize).toEqual([
    { userId: bob.userId, day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), total: 1, unread: 1 },
  ]);
  await bob.delete('/api/v1/me', { confirm: 'grace@example.com' }).expect(204);
  expect(await listSizes(bob.userId)).toEqual([]);
});

const askQuota = async (method: string, path: string) =>
  (await (await fetch(`${api.google.url}/sandbox/quota${path}`, { method })).json()) as { mark: number };

const listSizes = (userId: string) =>
  api.testDatabase.query(
    `SELECT (now() AT TIME ZONE 'UTC')::date - "day" AS "age", "total", "unread" FROM "InboxSize"
     WHERE "userId" = $1 ORDER BY "day"`,
    [userId],
  );

let api: ApiHarness;
let ada: ApiClient;
let grace: ApiClient;
beforeAll(async () => {
  api = await startApi({
    mail: {
      'ada@example.com': [
        { id: 'promotion-1' },
        { id: 'promotion-2' },
        { id: 'social-1', labelIds: ['INBOX', 'CATEGORY_SOCIAL'] },
        { id: 'social-2', labelIds: ['CATEGORY_SOCIAL'] },
        { id: 'primary-1', labelIds: ['INBOX', 'CATEGORY_PERSONAL'] },
        { id: 'without', labelIds: ['INBOX', 'UNREAD'] },
        { id: 'spam', labelIds: ['SPAM', 'UNREAD'] },
      ],
      'grace@example.com': [{ id: 'one' }],
    },
  });
  [ada, grace] = [await api.signIn(), await api.signIn('grace@example.com')];
});
beforeEach(async () => {
  api.google.heal();
  await api.testDatabase.query('TRUNCATE "InboxSize"');
});
afterAll(() => api.close());
