import { ListActionHistoryResponseSchema } from '@mailsweep/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../../testing/api-harness.ts';
import { insertHistory } from '../../testing/stored-rows.ts';

describe('GET /api/v1/notifications/history', () => {
  test('gives the first page of 20, newest first, when nothing is said', async () => {
    await insertHistory(api.testDatabase.query, ada.userId, numbered(45));
    const { body } = await ada.get('/api/v1/notifications/history').expect(200);

    expect(body).toMatchObject({ total: 45, page: 1, perPage: 20 });
    expect(toEmailIds(body)).toEqual(numbered(45).toReversed().slice(0, 20));
    expect(ListActionHistoryResponseSchema.parse(body)).toEqual(body);
  });

  test('pages through everything, each record once, and ends with an empty page', async () => {
    await insertHistory(api.testDatabase.query, ada.userId, numbered(45));
    const pages = [];
    for (const page of [1, 2, 3, 4]) pages.push((await list(`?page=${page}&perPage=15`)).body);

    expect(pages.flatMap(toEmailIds)).toEqual(numbered(45).toReversed());
    expect(pages[3]).toEqual({ total: 45, page: 4, perPage: 15, data: [] });
  });

  test('takes up to 100 a page, and page numbers beyond any list', async () => {
    await insertHistory(api.testDatabase.query, ada.userId, numbered(120));

    expect(toEmailIds((await list('?perPage=100')).body)).toHaveLength(100);
    expect((await list('?perPage=100&page=2')).body.data).toHaveLength(20);
    expect((await list('?perPage=100&page=10000000')).body).toMatchObject({ total: 120, data: [] });
  });

  test('orders records of the same instant the same way on every page', async () => {
    await insertHistory(api.testDatabase.query, ada.userId, numbered(30));
    await api.testDatabase.query('UPDATE "ActionHistory" SET "timestamp" = now()');
    const pages = [
      (await list('?perPage=10')).body,
      (await list('?perPage=10&page=2')).body,
      (await list('?perPage=10&page=3')).body,
    ];

    expect(new Set(pages.flatMap(toEmailIds)).size).toBe(30);
  });

  test('holds the records of both flows, distinguished by details.source', async () => {
    await ada.post('/api/v1/inbox/actions', { emailIds: ['one'], action: 'archive' }).expect(200);
    await ada.post('/api/v1/notifications/confirm', { emailIds: ['two'], action: 'reject' }).expect(200);
    const { data } = (await list('')).body;

    expect(data).toMatchObject([
      { emailId: 'two', action: 'reject', details: { source: 'suggestions' } },
      { emailId: 'one', action: 'archive', details: { source: 'inbox' } },
    ]);
  });

  test('is narrowed by source and by action, its total as well', async () => {
    await ada.post('/api/v1/inbox/actions', { emailIds: ['one'], action: 'archive' }).expect(200);
    await ada.post('/api/v1/inbox/actions', { emailIds: ['one'], action: 'delete' }).expect(200);
    await ada.post('/api/v1/notifications/confirm', { emailIds: ['two'], action: 'reject' }).expect(200);

    expect((await list('?source=suggestions')).body).toMatchObject({ total: 1, data: [{ emailId: 'two' }] });
    expect((await list('?action=delete')).body).toMatchObject({ total: 1, data: [{ action: 'delete' }] });
    expect((await list('?source=inbox&perPage=1')).body).toMatchObject({
      total: 2,
      data: [{ action: 'delete' }],
    });
    expect((await list('?source=suggestions&action=delete')).body).toMatchObject({ total: 0, data: [] });
  });

  test.each(['source', 'action'])('refuses an unknown %s and names the field', async (name) => {
    const { body } = await ada.get(`/api/v1/notifications/history?${name}=nonsense`).expect(400);

    expect(body.errors).toMatchObject([{ path: expect.stringContaining(name) }]);
  });

  test('shows no user the records of others', async () => {
    await insertHistory(api.testDatabase.query, ada.userId, numbered(3));
    const grace = await api.signIn('grace@example.com');

    expect((await grace.get('/api/v1/notifications/history').expect(200)).body).toEqual({
      total: 0,
      page: 1,
      perPage: 20,
      data: [],
    });
  });
});

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `email-${index + 1}`);

const list = (query: string) => ada.get(`/api/v1/notifications/history${query}`).expect(200);

const toEmailIds = (body: { data: { emailId: string }[] }) => body.data.map((record) => record.emailId);

let api: ApiHarness;
let ada: ApiClient;
beforeAll(async () => {
  api = await startApi({ mail: { 'ada@example.com': [{ id: 'one' }, { id: 'two' }] } });
  ada = await api.signIn();
});
beforeEach(async () => {
  await api.testDatabase.query('TRUNCATE "ActionHistory"');
});
afterAll(() => api.close());
