import { CleanupPlanSchema, CleanupSchema, ListCleanupEmailsResponseSchema } from '@mailsweep/contracts';
import { createMaintenance } from '@mailsweep/core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, createProgram, startApi } from '../../testing/api-harness.ts';

const CLEANUPS = '/api/v1/cleanups';
const ARCHIVE = { action: 'archive', selection: { type: 'filter' } };

describe('POST /api/v1/cleanups', () => {
  test('plans the emails of a filter, and changes nothing', async () => {
    const { body } = await ada.post(CLEANUPS, ARCHIVE).expect(200);

    const plan = CleanupPlanSchema.parse(body);
    expect(plan).toEqual(body);
    expect(plan).toMatchObject({
      state: 'planned',
      total: 3,
      isComplete: true,
      plannedActions: { archive: 3 },
      changedActions: {},
      changedBytes: 0,
      excluded: {},
      selection: { type: 'filter', scope: 'inbox', except: [] },
    });
    expect(plan.sample.map(({ subject }) => subject).toSorted()).toEqual(['Offer 1', 'Offer 2', 'Offer 3']);
    expect(await api.google.labelsOf('offer-1')).toContain('INBOX');

    const { body: emails } = await ada.get(`${CLEANUPS}/${plan.id}/emails?perPage=2`).expect(200);
    expect(ListCleanupEmailsResponseSchema.parse(emails)).toMatchObject({ total: 3, page: 1, perPage: 2 });
    expect(emails.data[0]).toMatchObject({
      action: 'archive',
      outcome: 'open',
      reason: null,
      email: { id: emails.data[0].emailId },
    });
    for (const [action, total] of [
      ['archive', 3],
      ['delete', 0],
    ]) {
      const path = `${CLEANUPS}/${plan.id}/emails?action=${action}`;
      expect((await ada.get(path).expect(200)).body).toMatchObject({ total });
    }
    const { body: list } = await ada.get(CLEANUPS).expect(200);
    expect(list).toMatchObject({ total: 1, data: [{ id: plan.id, total: 3 }] });
  });

  test.each<[string, object]>([
    ['action', { action: 'move', selection: { type: 'filter' } }],
    ['label', { action: 'label', selection: { type: 'filter' } }],
    ['label', { action: 'archive', label: 'No', selection: { type: 'filter' } }],
    ['label', { action: 'label', label: 'a\u202Eb', selection: { type: 'filter' } }],
    ['label', { action: 'label', label: 'inbox', selection: { type: 'filter' } }],
    ['label', { action: 'label', label: 'a//b', selection: { type: 'filter' } }],
    ['action', { action: 'accept', selection: { type: 'filter' } }],
    ['selection', { action: 'archive' }],
    ['selection.type', { action: 'archive', selection: { type: 'everything' } }],
    ['selection.senders', { action: 'archive', selection: { type: 'senders', senders: [] } }],
    ['selection.minConfidence', { action: 'accept', selection: { type: 'suggestions', minConfidence: 2 } }],
    ['selection.olderThan', { action: 'archive', selection: { type: 'filter', olderThan: -1 } }],
    ...[
      { type: 'senders', senders: ['0'.repeat(64)], keepNewest: 0 },
      { type: 'senders', senders: ['0'.repeat(64)], keepNewest: 101 },
      { type: 'suggestions', sender: '0'.repeat(64), keepNewest: 1 },
      ...[
        { category: 'promotions' },
        { search: 'from:bob' },
        { search: '-from:bob@shop.example' },
        { search: 'from:bob@shop.example OR from:eve@shop.example' },
        { search: 'from:bob@shop.example older_than:1y' },
      ].map((filters) => ({ type: 'filter', ...filters, keepNewest: 1 })),
    ].map((selection): [string, object] => ['selection.keepNewest', { action: 'archive', selection }]),
    [
      'selection.keepNewest',
      { action: 'accept', selection: { type: 'senders', senders: ['0'.repeat(64)], keepNewest: 1 } },
    ],
  ])('names the field %s of a body that is not valid', async (path, body) => {
    const { body: problem } = await ada.post(CLEANUPS, body).expect(400);

    expect(problem.code).toBe('validation_failed');
    expect(problem.errors.map((error: { path: string }) => error.path)).toContain(path);
  });

  test.each([
    'from:offers@shop.example',
    'from:"offers@shop.example"',
    'from:@shop.example',
    'list:offers.shop.example',
  ])('takes the newest of what %s finds to be kept', async (search) => {
    const selection = { type: 'filter', search, keepNewest: 2 };
    const { body } = await ada.post(CLEANUPS, { action: 'archive', selection }).expect(200);
    expect(body.selection).toMatchObject(selection);
  });

  test('is limited per user', async () => {
    await ada.post(CLEANUPS, ARCHIVE).expect(200);
    await api.testDatabase.query(
      `INSERT INTO "Cleanup" SELECT (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid()))).*
       FROM "Cleanup" c, generate_series(1, 59)`,
    );
    const refused = await ada.post(CLEANUPS, ARCHIVE).expect(429);
    expect(refused.body.code).toBe('too_many_plans');
    expect(refused.headers['retry-after']).toBe('60');
  });
});

describe('plans that nobody runs', () => {
  test('push out older ones of their maker alone', async () => {
    const { body: mine } = await ada.post(CLEANUPS, ARCHIVE).expect(200);
    const program = await createProgram(api.url, ada, 'act');
    const { body: first } = await program.post(CLEANUPS, ARCHIVE).expect(200);
    for (let made = 1; made <= 10; made += 1) await program.post(CLEANUPS, ARCHIVE).expect(200);
    await ada.get(`${CLEANUPS}/${mine.id}`).expect(200);
    await ada.get(`${CLEANUPS}/${first.id}`).expect(404);
  });
});

describe('a cleanup', () => {
  test('is run, paused, resumed and cancelled; its first step is due', async () => {
    const { body: plan } = await ada.post(CLEANUPS, ARCHIVE).expect(200);
    const { body: queued } = await ada.post(`${CLEANUPS}/${plan.id}/run`).expect(200);
    expect(CleanupSchema.parse(queued)).toMatchObject({ id: plan.id, state: 'queued' });
    expect(await createMaintenance(api.testDatabase.database).work.claim('cleanup')).toMatchObject({
      id: plan.id,
    });

    const refused = await ada.post(`${CLEANUPS}/${plan.id}/undo`).expect(409);
    expect(refused.body).toMatchObject({ code: 'wrong_state' });
    for (const [command, state] of [
      ['run', 'queued'],
      ['pause', 'paused'],
      ['pause', 'paused'],
      ['resume', 'queued'],
      ['cancel', 'cancelled'],
      ['cancel', 'cancelled'],
    ]) {
      expect((await ada.post(`${CLEANUPS}/${plan.id}/${command}`).expect(200)).body.state).toBe(state);
    }
    await ada.post(`${CLEANUPS}/${plan.id}/resume`).expect(409);
    expect((await ada.post(`${CLEANUPS}/${plan.id}/undo`).expect(200)).body).toMatchObject({ undone: 0 });
  });

  test('is sent again, with its sample, only once it has changed', async () => {
    const { body: plan } = await ada.post(CLEANUPS, ARCHIVE).expect(200);
    const path = `${CLEANUPS}/${plan.id}`;
    const { body, headers } = await ada.get(path).expect(200);
    expect(body).toEqual(plan);
    const etag = headers.etag ?? '';
    await ada.get(path).set('if-none-match', etag).expect(304);
    await ada.post(`${path}/cancel`).expect(200);
    const changed = await ada.get(path).set('if-none-match', etag).expect(200);
    expect(changed.body).toMatchObject({ state: 'cancelled', sample: plan.sample });
  });

  test('is unknown to others', async () => {
    const { body: plan } = await ada.post(CLEANUPS, ARCHIVE).expect(200);
    for (const path of ['', '/emails']) await grace.get(`${CLEANUPS}/${plan.id}${path}`).expect(404);
    for (const command of ['run', 'pause', 'resume', 'cancel', 'undo']) {
      await grace.post(`${CLEANUPS}/${plan.id}/${command}`).expect(404);
    }
    expect((await ada.get(`${CLEANUPS}/${plan.id}`).expect(200)).body.state).toBe('planned');
  });

  test('is erased with its user', async () => {
    const bob = await api.signIn('grace@example.com');
    await bob.post(CLEANUPS, ARCHIVE).expect(200);
    const { body: data } = await bob.get('/api/v1/me/export').expect(200);
    expect(JSON.stringify(data)).toContain('CleanupEmail');
    await bob.delete('/api/v1/me', { confirm: 'grace@example.com' }).expect(204);
    expect(
      await api.testDatabase.query('SELECT FROM "CleanupEmail" WHERE "userId" = $1', [bob.userId]),
    ).toEqual([]);
  });
});

let api: ApiHarness;
let ada: ApiClient;
let grace: ApiClient;
const offers = ['1', '2', '3'].map((number) => ({
  id: `offer-${number}`,
  from: 'Shop <shop@shop.example>',
  subject: `Offer ${number}`,
  text: 'Buy',
}));
beforeAll(async () => {
  api = await startApi({ mail: { 'ada@example.com': offers, 'grace@example.com': offers } });
  ada = await api.signIn();
  grace = await api.signIn('grace@example.com');
});
beforeEach(() => api.testDatabase.query('TRUNCATE "Cleanup" CASCADE'));
afterAll(() => api.close());
