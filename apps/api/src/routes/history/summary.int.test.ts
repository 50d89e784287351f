import { DOMAIN_EVENTS, NotificationSummarySchema } from '@mailsweep/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../../testing/api-harness.ts';
import { insertNotificationEvent } from '../../testing/stored-rows.ts';

const { SUGGESTIONS_GENERATED, SUGGESTION_CONFIRMED } = DOMAIN_EVENTS;
const DAY_MS = 86_400_000;

describe('GET /api/v1/notifications/summary', () => {
  test('adds up the events of the user', async () => {
    await insertGenerated({ archive: 3, delete: 1 }, { bulk: 3, promotions_old: 1 });
    await insertGenerated({ archive: 2 }, { bulk: 1, stale_unread: 1 });
    await insertConfirmed(4, 'accept');
    await insertConfirmed(1, 'accept');
    await insertConfirmed(2, 'reject');
    const { body } = await summarize('');

    expect(body).toEqual({
      period: null,
      windowStart: null,
      windowEnd: null,
      totalEvents: 5,
      totalSuggestions: 6,
      totalConfirmed: 7,
      suggestedActions: { archive: 5, delete: 1 },
      confirmedActions: { accept: 5, reject: 2 },
      classifications: { bulk: 4, promotions_old: 1, stale_unread: 1 },
    });
    expect(NotificationSummarySchema.parse(body)).toEqual(body);
  });

  test('is all zeros for a user without events', async () => {
    expect((await summarize('?period=weekly')).body).toEqual({
      period: 'weekly',
      windowStart: expect.any(String),
      windowEnd: expect.any(String),
      totalEvents: 0,
      totalSuggestions: 0,
      totalConfirmed: 0,
      suggestedActions: {},
      confirmedActions: {},
      classifications: {},
    });
  });

  test.each([
    ['daily', DAY_MS],
    ['weekly', 7 * DAY_MS],
  ])('%s covers a rolling window that ends now, in UTC', async (period, lengthMs) => {
    const beforeMs = Date.now();
    const { body } = await summarize(`?period=${period}`);

    expect(body.period).toBe(period);
    expect(body.windowEnd).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(body.windowEnd) - Date.parse(body.windowStart)).toBe(lengthMs);
    expect(Date.parse(body.windowEnd)).toBeGreaterThanOrEqual(beforeMs);
    expect(Date.parse(body.windowEnd)).toBeLessThanOrEqual(Date.now());
  });

  test('counts only what was stored within the window; without period it counts everything', async () => {
    for (const age of [
      '1 min',
      '23 h 59 min',
      '24 h 1 min',
      '6 days 23 h 59 min',
      '7 days 1 min',
      '900 days',
    ]) {
      await insertConfirmed(1, 'accept', `now() - interval '${age}'`);
    }
    await insertConfirmed(1, 'accept', `now() + interval '1 min'`);

    expect((await summarize('?period=daily')).body.totalConfirmed).toBe(2);
    expect((await summarize('?period=weekly')).body.totalConfirmed).toBe(4);
    expect((await summarize('')).body.totalConfirmed).toBe(7);
  });

  test('relies on summary.totalSuggestions and summary.totalConfirmed, even where an event breaks them down no further', async () => {
    await insert(SUGGESTIONS_GENERATED, { totalSuggestions: 12 });
    await insert(SUGGESTION_CONFIRMED, { totalConfirmed: 3 });
    await insert(SUGGESTIONS_GENERATED, {});

    expect((await summarize('')).body).toMatchObject({
      totalEvents: 3,
      totalSuggestions: 12,
      totalConfirmed: 3,
      suggestedActions: {},
      confirmedActions: {},
    });
  });

  test('counts nothing of anybody else’s', async () => {
    const grace = await api.signIn('grace@example.com');
    await insertConfirmed(5, 'accept');

    expect((await grace.get('/api/v1/notifications/summary').expect(200)).body.totalEvents).toBe(0);
  });

  test('takes names that mean something to JavaScript for names like any other', async () => {
    await insertGenerated({ archive: 1 }, { __proto__x: 1, constructor: 2, 'ünïcode ☃': 3 });

    expect((await summarize('')).body.classifications).toEqual({
      __proto__x: 1,
      constructor: 2,
      'ünïcode ☃': 3,
    });
  });
});

const insert = (
  type: typeof SUGGESTIONS_GENERATED | typeof SUGGESTION_CONFIRMED,
  summary: object,
  createdAt = 'now()',
) => insertNotificationEvent(api.testDatabase.query, { userId: ada.userId, type, summary, createdAt });

const insertGenerated = (
  actionCounts: Record<string, number>,
  classificationCounts: Record<string, number>,
) => {
  const totalSuggestions = Object.values(actionCounts).reduce((sum, count) => sum + count, 0);
  return insert(SUGGESTIONS_GENERATED, {
    totalSuggestions,
    actionCounts,
    classificationCounts,
    sampledEmails: [],
  });
};

const insertConfirmed = (totalConfirmed: number, action: string, createdAt?: string) =>
  insert(SUGGESTION_CONFIRMED, { totalConfirmed, action }, createdAt);

const summarize = (query: string) => ada.get(`/api/v1/notifications/summary${query}`).expect(200);

let api: ApiHarness;
let ada: ApiClient;
beforeAll(async () => {
  api = await startApi();
  ada = await api.signIn();
});
beforeEach(async () => {
  await api.testDatabase.query('TRUNCATE "NotificationEvent"');
});
afterAll(() => api.close());
