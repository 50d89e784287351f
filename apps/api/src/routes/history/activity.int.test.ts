import { ActivitySchema } from '@mailsweep/contracts';
import { respondWithSuggestions } from '@mailsweep/ml-client/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../../testing/api-harness.ts';

const ACTIVITY = '/api/v1/activity';

test('sums up what was done in the inbox and with suggestions, and no longer what was undone', async () => {
  await ada.get('/api/v1/emails').expect(200);
  await ada.get('/api/v1/suggestions').expect(200);
  await ada.get('/api/v1/mailbox').expect(200);
  await ada.post('/api/v1/inbox/actions', { emailIds: ['shop-1', 'shop-2'], action: 'archive' }).expect(200);
  await ada.post('/api/v1/notifications/confirm', { emailIds: ['news-1'], action: 'accept' }).expect(200);
  await ada.post('/api/v1/notifications/confirm', { emailIds: ['news-2'], action: 'reject' }).expect(200);
  const bank = await ada
    .post('/api/v1/inbox/actions', { emailIds: ['bank-1'], action: 'archive' })
    .expect(200);
  await ada.post(`/api/v1/notifications/history/${bank.body.results[0].recordId}/undo`).expect(200);

  const { body } = await ada.get(`${ACTIVITY}?period=daily`).expect(200);
  expect(ActivitySchema.parse(body)).toEqual(body);
  expect(body).toEqual({
    period: 'daily',
    cleaned: { emails: 3, bytes: expect.any(Number), senders: 2 },
    byAction: { archive: 2, delete: 1 },
    bySource: { inbox: 2, suggestions: 1 },
    decisions: [{ classification: 'promotions_old', accepted: 1, rejected: 1 }],
    silencedSenders: 1,
    inboxSizes: [{ day: new Date().toISOString().slice(0, 10), total: 5, unread: 5 }],
  });
  // Only one was moved to the trash.
  expect(body.cleaned.bytes).toBeGreaterThan(2_000);
  expect(body.cleaned.bytes).toBeLessThan(2 * 2_000);
  expect((await ada.get(ACTIVITY).expect(200)).body).toEqual({ ...body, period: null });
});

test('of a user who has done nothing is empty', async () => {
  expect((await grace.get(ACTIVITY).expect(200)).body).toEqual({
    period: null,
    cleaned: { emails: 0, bytes: 0, senders: 0 },
    byAction: {},
    bySource: {},
    decisions: [],
    silencedSenders: 0,
    inboxSizes: [],
  });
});

test('refuses another period and names the field', async () => {
  const { body } = await ada.get(`${ACTIVITY}?period=monthly`).expect(400);
  expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'period' }] });
});

let api: ApiHarness;
let ada: ApiClient;
let grace: ApiClient;
beforeAll(async () => {
  const mail = ['shop-1', 'shop-2', 'news-1', 'news-2', 'bank-1'].map((id) => ({
    id,
    from: `Sender <${id.split('-')[0]}@x.example>`,
  }));
  api = await startApi({ mail: { 'ada@example.com': mail } });
  api.ml.behave(
    respondWithSuggestions(({ id }) =>
      id.startsWith('news')
        ? [{ action: 'delete', classification: 'promotions_old', confidence_score: 0.9 }]
        : [],
    ),
  );
  [ada, grace] = [await api.signIn(), await api.signIn('grace@example.com')];
});
afterAll(() => api.close());
