import { ListSuggestionGroupsResponseSchema, type Suggestion } from '@mailsweep/contracts';
import { respondWithSuggestions } from '@mailsweep/ml-client/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../../testing/api-harness.ts';

const GROUPS = '/api/v1/suggestions/groups';
const STORED = '/api/v1/suggestions/stored';
const BULK: Suggestion = { action: 'archive', classification: 'bulk', confidence_score: 0.95 };
const RECEIPT: Suggestion = { action: 'label', classification: 'receipt', confidence_score: 0.8 };
const OLD: Suggestion = { action: 'delete', classification: 'promotions_old', confidence_score: 0.4 };
const SUGGESTIONS: Record<string, Suggestion[]> = {
  'shop-1': [BULK],
  'shop-2': [RECEIPT, OLD],
  'news-1': [BULK],
  'bank-1': [OLD],
};

test('groups the emails with open suggestions by sender, with totals', async () => {
  const { body } = await ada.get(GROUPS).expect(200);

  const page = ListSuggestionGroupsResponseSchema.parse(body);
  expect(page).toEqual(body);
  expect(page).toMatchObject({
    total: 3,
    page: 1,
    perPage: 20,
    emails: 4,
    actions: { archive: 2, label: 1, delete: 1 },
    confidence: { sure: 0, likely: 3, check: 1 },
    actionsByDegree: { sure: {}, likely: { archive: 2, label: 1 }, check: { delete: 1 } },
    complete: false,
    scannedAt: null,
  });
  expect(page.data.map(({ from }) => from)).toEqual([
    'Shop <shop@shop.example>',
    'News <news@news.example>',
    'Bank <bank@bank.example>',
  ]);
  expect(page.data[0]).toMatchObject({
    by: 'sender',
    classification: null,
    emails: 2,
    actions: { archive: 1, label: 1 },
    classifications: { bulk: 1, receipt: 1 },
    labels: ['receipt'],
    leastConfidence: 0.8,
    mostConfidence: 0.95,
    leastAcceptance: 0.8,
    mostAcceptance: 0.94,
    newest: expect.any(String),
  });
  const { body: senders } = await ada.get('/api/v1/senders').expect(200);
  expect(senders.data.map(({ id }: { id: string }) => id)).toContain(page.data[0]?.key);
});

test('groups by classification, confident suggestions alone, page by page', async () => {
  const { body } = await ada.get(`${GROUPS}?by=classification&minConfidence=0.75&perPage=1`).expect(200);

  expect(body).toMatchObject({
    total: 2,
    perPage: 1,
    emails: 3,
    actions: { archive: 2, label: 1 },
    confidence: { sure: 0, likely: 3, check: 1 },
    data: [{ key: 'bulk', by: 'classification', from: null, classification: 'bulk', emails: 2, labels: [] }],
  });
  // The sender of the newest is named in groups by classification, too.
  expect(body.data[0].newestFrom).toMatch(/^(Shop|News) </);
  const { body: beyond } = await ada.get(`${GROUPS}?by=classification&page=2&perPage=1`).expect(200);
  expect(beyond).toMatchObject({ total: 3, emails: 4, data: [{ key: 'receipt' }] });
  expect((await ada.get(`${GROUPS}?page=9`).expect(200)).body).toMatchObject({
    total: 3,
    emails: 4,
    data: [],
  });
});

test.each([
  ['classification=bulk', ['news-1', 'shop-1']],
  ['minConfidence=0.8', ['news-1', 'shop-1', 'shop-2']],
  ['minConfidence=0.80001', ['news-1', 'shop-1']],
  ['classification=promotions_old&minConfidence=0.4', ['bank-1']],
  ['classification=promotions_old&minConfidence=1', []],
  ['minAcceptance=0.94', ['news-1', 'shop-1']],
  ['minAcceptance=0.95', []],
  ['minAcceptance=0.8', ['news-1', 'shop-1', 'shop-2']],
])('the stored suggestions are narrowed by %s', async (query, expected) => {
  const { body } = await ada.get(`${STORED}?${query}`).expect(200);
  expect(body.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(expected);
});

test.each([
  [GROUPS, 'by', 'domain'],
  [GROUPS, 'minConfidence', '1.01'],
  [GROUPS, 'minConfidence', '.5'],
  [GROUPS, 'minConfidence', '-0'],
  [GROUPS, 'minConfidence', '5e-1'],
  [GROUPS, 'perPage', '101'],
  [GROUPS, 'minAcceptance', '1.01'],
  [STORED, 'minAcceptance', 'sure'],
  [STORED, 'minConfidence', 'sure'],
  [STORED, 'classification', ''],
  [STORED, 'classification', '%00'],
])('%s refuses %s=%s and names the field', async (path, name, value) => {
  const { body } = await ada.get(`${path}?${name}=${value}`).expect(400);
  expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path: name }] });
});

test('a mailbox that was never read has no groups', async () => {
  expect((await grace.get(GROUPS).expect(200)).body).toEqual({
    total: 0,
    page: 1,
    perPage: 20,
    data: [],
    emails: 0,
    actions: {},
    confidence: { sure: 0, likely: 0, check: 0 },
    actionsByDegree: { sure: {}, likely: {}, check: {} },
    complete: false,
    scannedAt: null,
  });
});

let api: ApiHarness;
let ada: ApiClient;
let grace: ApiClient;
beforeAll(async () => {
  const from = (name: string) => `${name} <${name.toLowerCase()}@${name.toLowerCase()}.example>`;
  api = await startApi({
    mail: {
      'ada@example.com': [
        { id: 'shop-1', from: from('Shop') },
        { id: 'shop-2', from: from('Shop') },
        { id: 'news-1', from: from('News') },
        { id: 'bank-1', from: from('Bank') },
        { id: 'bank-2', from: from('Bank') },
      ],
      'grace@example.com': [{ id: 'one' }],
    },
  });
  [ada, grace] = [await api.signIn(), await api.signIn('grace@example.com')];
  api.ml.behave(respondWithSuggestions(({ id }) => SUGGESTIONS[id] ?? []));
  await ada.get('/api/v1/suggestions').expect(200);
});
afterAll(() => api.close());
