import { type EmailWithSuggestions, MAX_PROTECTED_SENDERS } from '@mailsweep/contracts';
import { respondWithSuggestions } from '@mailsweep/ml-client/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../../testing/api-harness.ts';

const SHOP = 'Shop <offers@shop.example>';
const NEWS = 'News <news@paper.example>';
const LOCAL_NEWS = 'Local <news@local.Paper.example>';
const BOOKS = 'Bücher <post@bücher.example>';

test('a sender is protected, listed newest first, and no longer protected', async () => {
  const [shop, news] = [await idOf(SHOP), await idOf(NEWS)];
  const { body: first } = await ada.put(`/api/v1/protections/${shop}`).expect(200);
  expect(first).toEqual({ id: shop, type: 'sender', from: SHOP, createdAt: expect.any(String) });
  await ada.put(`/api/v1/protections/${news}`).expect(200);
  expect((await ada.put(`/api/v1/protections/${shop}`).expect(200)).body).toEqual(first);

  const { body: page } = await ada.get('/api/v1/protections').expect(200);
  expect(page).toMatchObject({ total: 2, data: [{ id: news, from: NEWS }, first] });
  expect(await protectedSenders()).toEqual([SHOP, NEWS].toSorted());

  await ada.delete(`/api/v1/protections/${shop}`).expect(204);
  await ada.delete(`/api/v1/protections/${shop}`).expect(204);
  expect((await ada.get('/api/v1/protections').expect(200)).body.data).toMatchObject([{ id: news }]);
  expect(await protectedSenders()).toEqual([NEWS]);
});

test('a sender or group of whom no email was read can’t be protected', async () => {
  for (const mark of ['0', 'f']) {
    const unknown = await ada.put(`/api/v1/protections/${mark.repeat(64)}`).expect(404);
    expect(unknown.body).toMatchObject({ code: 'not_found' });
  }
  const malformed = await ada.put('/api/v1/protections/shop').expect(400);
  expect(malformed.body).toMatchObject({ errors: [{ path: 'id', message: 'must be the id of a sender' }] });
});

test('the number of protected senders is limited', async () => {
  const shop = await idOf(SHOP);
  await api.testDatabase.query(
    `INSERT INTO "Protection" ("id", "userId", "senderKey", "encryptedSender")
     SELECT gen_random_uuid(), $1, sha256(number::text::bytea), 'unreadable'
     FROM generate_series(1, ${MAX_PROTECTED_SENDERS}) AS number`,
    [ada.userId],
  );
  const refused = await ada.put(`/api/v1/protections/${shop}`).expect(409);
  expect(refused.body).toMatchObject({ code: 'too_many_protections' });
  const { body: page } = await ada.get('/api/v1/protections?perPage=1').expect(200);
  expect(page).toMatchObject({ total: MAX_PROTECTED_SENDERS, data: [{ from: '' }] });
  await ada.delete(`/api/v1/protections/${page.data[0].id}`).expect(204);
  await ada.put(`/api/v1/protections/${shop}`).expect(200);
});

test('a cleanup leaves protected senders out and says so', async () => {
  await ada.put(`/api/v1/protections/${await idOf(SHOP)}`).expect(200);
  const { body: plan } = await ada
    .post('/api/v1/cleanups', { action: 'delete', selection: { type: 'filter' } })
    .expect(200);
  expect(plan).toMatchObject({ total: 3, excluded: { protected: 2 } });
  expect(plan.sample.map(({ from }: { from: string }) => from)).not.toContain(SHOP);
});

test('clearing email of a protected sender is neither shown nor published', async () => {
  await ada.put(`/api/v1/protections/${await idOf(SHOP)}`).expect(200);
  api.ml.behave(
    respondWithSuggestions([
      { action: 'archive', classification: 'bulk', confidence_score: 0.9 },
      { action: 'label', classification: 'offers', confidence_score: 0.8 },
    ]),
  );
  const { body } = await ada.get('/api/v1/suggestions').expect(200);
  const shown = Object.fromEntries(
    body.emails.map(({ id, suggestions }: EmailWithSuggestions) => [
      id,
      suggestions.map(({ action }) => action),
    ]),
  );
  expect(shown).toEqual({
    one: ['label'],
    two: ['label'],
    three: ['archive', 'label'],
    four: ['archive', 'label'],
    five: ['archive', 'label'],
  });
  const [event] = await api.listEvents();
  expect(event?.payload).toMatchObject({ summary: { actionCounts: { archive: 3, label: 5 } } });

  await ada.delete(`/api/v1/protections/${await idOf(SHOP)}`).expect(204);
  const { body: stored } = await ada.get('/api/v1/suggestions/stored').expect(200);
  expect(stored.data.map(({ suggestions }: EmailWithSuggestions) => suggestions.length)).toEqual([
    2, 2, 2, 2, 2,
  ]);
});

test('a name of any spelling is protected, in every mailbox that has it, and where no email was read', async () => {
  const { body: typed } = await ada
    .post('/api/v1/protections', { name: ' Offers@SHOP.example ' })
    .expect(200);
  expect(typed).toEqual({
    id: await idOf(SHOP),
    type: 'sender',
    from: 'offers@shop.example',
    createdAt: expect.any(String),
  });
  expect((await ada.post('/api/v1/protections', { name: 'offers@shop.example' }).expect(200)).body).toEqual(
    typed,
  );
  expect(await protectedSenders()).toEqual([SHOP]);

  const { body: domain } = await ada.post('/api/v1/protections', { name: 'BÜCHER.example' }).expect(200);
  expect(domain).toMatchObject({ type: 'domain', from: 'bücher.example' });
  expect(
    (await ada.post('/api/v1/protections', { name: '@xn--bcher-kva.example' }).expect(200)).body,
  ).toEqual(domain);
  await ada.post('/api/v1/protections', { name: 'nobody@else.example' }).expect(200);
  expect((await ada.get('/api/v1/protections').expect(200)).body).toMatchObject({ total: 3 });

  await ada.delete(`/api/v1/protections/${typed.id}`).expect(204);
  expect(await protectedSenders()).toEqual([BOOKS]);
});

test('a domain protects its senders and those of its subdomains, however they are found', async () => {
  const { body: domain } = await ada.post('/api/v1/protections', { name: 'paper.example' }).expect(200);
  expect(await protectedSenders()).toEqual([NEWS, LOCAL_NEWS].toSorted());
  const { body: details } = await ada.get('/api/v1/emails/four/sender').expect(200);
  expect(details).toMatchObject({
    from: LOCAL_NEWS,
    protected: true,
    takes: { delete: 0 },
    excluded: { protected: 1 },
  });
  const { body: plan } = await ada
    .post('/api/v1/cleanups', { action: 'delete', selection: { type: 'filter' } })
    .expect(200);
  expect(plan).toMatchObject({ total: 3, excluded: { protected: 2 } });

  await ada.delete(`/api/v1/protections/${domain.id}`).expect(204);
  expect(await protectedSenders()).toEqual([]);
});

test('a cleanup leaves out email of a protected domain that is not cached', async () => {
  await ada.post('/api/v1/protections', { name: 'paper.example' }).expect(200);
  await api.testDatabase.query(`DELETE FROM "CachedMessage" WHERE "emailId" IN ('three', 'four')`);
  const { body: plan } = await ada
    .post('/api/v1/cleanups', { action: 'delete', selection: { type: 'filter' } })
    .expect(200);
  expect(plan).toMatchObject({ total: 3, excluded: { protected: 2 } });
});

test('the names of senders that are cached already are found when one of them is protected', async () => {
  await api.testDatabase.query('DELETE FROM "SenderName"');
  await ada.post('/api/v1/protections', { name: 'paper.example' }).expect(200);
  expect(await protectedSenders()).toEqual([NEWS, LOCAL_NEWS].toSorted());
});

test.each([
  '',
  'shop',
  'a@b@c',
  'name@',
  '@',
  'shop..example',
  '127.0.0.1',
  'shop.example/x',
  'two words.example',
  'com',
])('%j is no name to protect', async (name) => {
  const { body } = await ada.post('/api/v1/protections', { name }).expect(400);
  expect(body.errors).toEqual([
    { path: 'name', message: 'must be an address such as name@example.com, or a domain such as example.com' },
  ]);
});

test('a sender is found by its id and by its email, with what a cleanup takes of it', async () => {
  const { body: byEmail } = await ada.get('/api/v1/emails/one/sender').expect(200);
  expect((await ada.get(`/api/v1/senders/${byEmail.id}`).expect(200)).body).toEqual(byEmail);
  expect(byEmail).toMatchObject({
    from: SHOP,
    mails: 2,
    takes: { archive: 2, delete: 2, label: 2 },
    excluded: {},
  });
  expect((await ada.get('/api/v1/emails/unknown/sender').expect(404)).body).toMatchObject({
    code: 'not_found',
  });
  await ada.get(`/api/v1/senders/${'0'.repeat(64)}`).expect(404);
});

const listSenders = async (): Promise<{ id: string; from: string; protected: boolean }[]> =>
  (await ada.get('/api/v1/senders').expect(200)).body.data;
const idOf = async (from: string) => (await listSenders()).find((sender) => sender.from === from)?.id ?? '';
const protectedSenders = async () =>
  (await listSenders())
    .filter((sender) => sender.protected)
    .map(({ from }) => from)
    .toSorted();

let api: ApiHarness;
let ada: ApiClient;
beforeEach(async () => {
  api = await startApi({
    env: { SUGGESTIONS_PUBLISH_THRESHOLD: '1' },
    mail: {
      'ada@example.com': [
        { id: 'one', from: SHOP },
        { id: 'two', from: SHOP },
        { id: 'three', from: NEWS },
        { id: 'four', from: LOCAL_NEWS },
        { id: 'five', from: BOOKS },
      ],
    },
  });
  ada = await api.signIn();
  await ada.get('/api/v1/emails').expect(200);
});
afterEach(() => api.close());
