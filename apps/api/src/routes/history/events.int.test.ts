import { DOMAIN_EVENTS, ListNotificationEventsResponseSchema } from '@mailsweep/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../../testing/api-harness.ts';
import { insertNotificationEvent } from '../../testing/stored-rows.ts';

const { SUGGESTIONS_GENERATED, SUGGESTION_CONFIRMED } = DOMAIN_EVENTS;

describe('GET /api/v1/notifications/events', () => {
  test('gives the first page of 20, newest first, when nothing is said', async () => {
    const ids = [];
    for (let age = 25; age > 0; age -= 1)
      ids.push(await insert({ createdAt: `now() - interval '${age} min'` }));
    const { body } = await list('');

    expect(body).toMatchObject({ total: 25, page: 1, perPage: 20 });
    expect(body.data.map((event: { id: string }) => event.id)).toEqual(ids.toReversed().slice(0, 20));
    expect(ListNotificationEventsResponseSchema.parse(body)).toEqual(body);
    expect((await list('?page=2')).body.data).toHaveLength(5);
    expect((await list('?page=3')).body.data).toEqual([]);
  });

  test('an event has its type, owner, summary and the times of its storing', async () => {
    const id = await insert({ summary: { totalConfirmed: 2, action: 'accept' } });

    expect((await list('')).body.data).toEqual([
      {
        id,
        type: SUGGESTION_CONFIRMED,
        userId: ada.userId,
        summary: { totalConfirmed: 2, action: 'accept' },
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
      },
    ]);
  });

  test('an event without summary shows the empty one', async () => {
    await insert({ summary: {} });

    expect((await list('')).body.data[0].summary).toEqual({});
  });

  test('type picks one kind of event, by its canonical name', async () => {
    await insert({ type: SUGGESTIONS_GENERATED, summary: {} });
    await insert({});
    await insert({});

    expect((await list(`?type=${SUGGESTIONS_GENERATED}`)).body).toMatchObject({
      total: 1,
      data: [{ type: SUGGESTIONS_GENERATED }],
    });
    expect((await list(`?type=${SUGGESTION_CONFIRMED}`)).body.total).toBe(2);
  });

  test('without userId, or with one’s own, the events are one’s own', async () => {
    const grace = await api.signIn('grace@example.com');
    await insert({});
    await insert({ userId: grace.userId });

    expect((await list('')).body).toMatchObject({ total: 1, data: [{ userId: ada.userId }] });
    expect((await list(`?userId=${ada.userId}`)).body).toMatchObject({
      total: 1,
      data: [{ userId: ada.userId }],
    });
  });

  test('R11: with the userId of another user, or of none, the page is empty, and the attempt is logged', async () => {
    const grace = await api.signIn('grace@example.com');
    await insert({ userId: grace.userId });

    for (const userId of [grace.userId, 'nobody', "' OR 1=1 --"]) {
      api.logLines.length = 0;
      const response = await ada
        .get('/api/v1/notifications/events')
        .query({ userId, perPage: 5 })
        .expect(200);
      expect(response.body).toEqual({ total: 0, page: 1, perPage: 5, data: [] });
      expect(api.logLines.join('')).toContain('foreign_user_asked');
    }
  });
});

const insert = (event: Partial<Parameters<typeof insertNotificationEvent>[1]>) =>
  insertNotificationEvent(api.testDatabase.query, {
    userId: ada.userId,
    type: SUGGESTION_CONFIRMED,
    summary: { totalConfirmed: 1, action: 'accept' },
    ...event,
  });

const list = (query: string) => ada.get(`/api/v1/notifications/events${query}`).expect(200);

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
