import {
  ListStoppedSuggestionsResponseSchema,
  ListStoredSuggestionsResponseSchema,
  PrecisionSchema,
  type Suggestion,
} from '@mailsweep/contracts';
import { respondWithSuggestions } from '@mailsweep/ml-client/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../../testing/api-harness.ts';

const PRECISION = '/api/v1/precision';
const STOPPED = '/api/v1/suggestions/stopped';
const STORED = '/api/v1/suggestions/stored';
const CONFIRM = '/api/v1/notifications/confirm';
const BULK: Suggestion = { action: 'archive', classification: 'bulk', confidence_score: 0.98 };
const SHOP = 'Shop <shop@shop.example>';
const NONE = { decided: 0, agreed: 0 };

test('what was rejected three times in a row is no longer suggested, anywhere, until the user allows it', async () => {
  await ada.post(CONFIRM, { emailIds: ['shop-1', 'shop-2', 'shop-3'], action: 'reject' }).expect(200);

  const { body } = await ada.get(STOPPED).expect(200);
  expect(ListStoppedSuggestionsResponseSchema.parse(body)).toEqual(body);
  expect(body).toMatchObject({ total: 1, data: [{ from: SHOP, action: 'archive' }] });
  expect(await listStored()).toEqual(['news-1']);
  const { body: newest } = await ada.get('/api/v1/suggestions').expect(200);
  const shown = newest.emails.filter(({ suggestions }: { suggestions: unknown[] }) => suggestions.length > 0);
  expect(shown.map(({ id }: { id: string }) => id)).toEqual(['news-1']);
  expect((await grace.get(STOPPED).expect(200)).body.data).toEqual([]);

  // Of another user, and malformed: nothing happens.
  await grace.delete(`${STOPPED}/${body.data[0].id}`).expect(404);
  await ada.delete(`${STOPPED}/shop`).expect(400);
  expect((await ada.get(STOPPED).expect(200)).body.total).toBe(1);

  await ada.delete(`${STOPPED}/${body.data[0].id}`).expect(204);
  await ada.delete(`${STOPPED}/${body.data[0].id}`).expect(404);
  expect((await ada.get(STOPPED).expect(200)).body.total).toBe(0);
  expect(await listStored()).toEqual(['news-1', 'shop-4']);
});

test('the precision says how often what was called likely was accepted, and is each user’s own', async () => {
  const { body: before } = await ada.get(PRECISION).expect(200);
  expect(before).toEqual({
    by: 'week',
    ...byBand({ ...NONE, rate: null, low: null, high: null }),
    spans: [],
    classifications: [],
  });
  await ada.post(CONFIRM, { emailIds: ['shop-3'], action: 'reject' }).expect(200);
  await ada.post(CONFIRM, { emailIds: ['news-1'], action: 'accept' }).expect(200);

  const { body } = await ada.get(`${PRECISION}?by=month`).expect(200);
  expect(PrecisionSchema.parse(body)).toEqual(body);
  expect(body).toMatchObject({
    by: 'month',
    likely: { decided: 2, agreed: 1, rate: 0.5 },
    spans: [{ likely: { decided: 2, agreed: 1 }, sure: NONE, check: NONE }],
    classifications: [{ classification: 'bulk', likely: { decided: 2, agreed: 1 } }],
  });
  expect(body.likely.low).toBeCloseTo(0.0945, 4);
  expect(body.likely.high).toBeCloseTo(0.9055, 4);
  expect((await grace.get(PRECISION).expect(200)).body).toEqual(before);

  const { body: history } = await ada.get('/api/v1/notifications/history?action=accept').expect(200);
  expect(history.data[0].details.suggestions).toEqual([{ ...BULK, acceptance: expect.closeTo(0.92, 2) }]);
  const ids = history.data.map(({ id }: { id: string }) => id);
  await ada.post('/api/v1/notifications/history/undo', { ids }).expect(200);
  expect((await ada.get(PRECISION).expect(200)).body).toMatchObject({ likely: { decided: 1, agreed: 0 } });
});

test('another action than the suggested one teaches nothing', async () => {
  const acceptanceOf = async (id: string) => {
    const { body } = await ada.get(STORED).expect(200);
    const { data } = ListStoredSuggestionsResponseSchema.parse(body);
    return data.find((email) => email.id === id)?.suggestions[0]?.acceptance;
  };
  const before = await acceptanceOf('shop-4');
  expect(before).toBeGreaterThan(0.9);
  const body = { emailIds: ['shop-1', 'shop-2', 'shop-3'], action: 'accept', as: 'delete' };
  await ada.post(CONFIRM, body).expect(200);
  await ada.get('/api/v1/suggestions').expect(200);

  expect(await listStored()).toEqual(['news-1', 'shop-4']);
  expect(await acceptanceOf('shop-4')).toBe(before);
  expect((await ada.get(STOPPED).expect(200)).body.total).toBe(0);
  expect((await ada.get(PRECISION).expect(200)).body).toMatchObject({ likely: NONE, classifications: [] });
});

test.each(['by=day', 'by=', 'period=weekly'])('the precision refuses %s', async (query) => {
  const { body } = await ada.get(`${PRECISION}?${query}`).expect(400);
  expect(body).toMatchObject({ code: 'validation_failed' });
});

const byBand = <T>(value: T) => ({ sure: value, likely: value, check: value });
const listStored = async () => {
  const { body } = await ada.get(STORED).expect(200);
  const { data } = ListStoredSuggestionsResponseSchema.parse(body);
  return data.map(({ id }) => id).toSorted();
};

let api: ApiHarness;
let ada: ApiClient;
let grace: ApiClient;
beforeEach(async () => {
  api = await startApi({
    mail: {
      'ada@example.com': [
        ...[1, 2, 3, 4].map((number) => ({ id: `shop-${number}`, from: SHOP })),
        { id: 'news-1', from: 'News <news@news.example>' },
      ],
      'grace@example.com': [{ id: 'one' }],
    },
  });
  [ada, grace] = [await api.signIn(), await api.signIn('grace@example.com')];
  api.ml.behave(respondWithSuggestions([BULK]));
  await ada.get('/api/v1/suggestions').expect(200);
});
afterEach(() => api.close());
