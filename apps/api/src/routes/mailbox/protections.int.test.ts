import { type EmailWithSuggestions, MAX_PROTECTED_SENDERS } from '@mailsweep/contracts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../../testing/api-harness.ts';

const SHOP = 'Shop <offers@shop.example>';
const NEWS = 'News <news@paper.example>';

test('a sender is protected, listed newest first, and no longer protected', async () => {
  const [shop, news] = [await idOf(SHOP), await idOf(NEWS)];
  const { body: first } = await ada.put(`/api/v1/protections/${shop}`).expect(200);
  expect(first).toEqual({ id: shop, from: SHOP, createdAt: expect.any(String) });
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

test('a sender of whom no email was read can’t be protected', async () => {
  const unknown = await ada.put(`/api/v1/protections/${'0'.repeat(64)}`).expect(404);
  expect(unknown.body).toMatchObject({ code: 'not_found' });
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
  expect(plan).toMatchObject({ total: 1, excluded: { protected: 2 }, sample: [{ from: NEWS }] });
});

test('clearing email of a protected sender is neither shown nor published', async () => {
  await ada.put(`/api/v1/protections/${await idOf(SHOP)}`).expect(200);
  api.ml.suggest([
    { action: 'archive', classification: 'bulk', confidence_score: 0.9 },
    { action: 'label', classification: 'offers', confidence_score: 0.8 },
  ]);
  const { body } = await ada.get('/api/v1/suggestions').expect(200);
  const shown = Object.fromEntries(
    body.emails.map(({ id, suggestions }: EmailWithSuggestions) => [
      id,
      suggestions.map(({ action }) => action),
    ]),
  );
  expect(shown).toEqual({ one: ['label'], two: ['label'], three: ['archive', 'label'] });
  const [event] = await api.listEvents();
  expect(event?.payload).toMatchObject({ summary: { actionCounts: { archive: 1, label: 3 } } });

  await ada.delete(`/api/v1/protections/${await idOf(SHOP)}`).expect(204);
  const { body: stored } = await ada.get('/api/v1/suggestions/stored').expect(200);
  expect(stored.data.map(({ suggestions }: EmailWithSuggestions) => suggestions.length)).toEqual([2, 2, 2]);
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
      ],
    },
  });
  ada = await api.signIn();
  await ada.get('/api/v1/emails').expect(200);
});
afterEach(() => api.close());
