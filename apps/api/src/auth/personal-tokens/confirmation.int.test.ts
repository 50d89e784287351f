import { API_ROUTES, type Cleanup, CleanupSchema, type RouteContract } from '@mailsweep/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, createProgram, startApi } from '../../testing/api-harness.ts';

const CLEANUPS = '/api/v1/cleanups';
const ARCHIVE = { action: 'archive', selection: { type: 'filter' } };
const UNKNOWN_ID = '019a0000-0000-7000-8000-000000000000';

describe('a token that asks its user', () => {
  test('is what a new one is, unless it only reads or the user says otherwise', async () => {
    const make = async (fields: object) => {
      const { body } = await ada.post('/api/v1/me/tokens', { name: 'New', ...fields }).expect(200);
      return body.requiresConfirmation;
    };
    expect(await make({ scope: 'act' })).toBe(true);
    expect(await make({ scope: 'admin' })).toBe(true);
    expect(await make({ scope: 'admin', requiresConfirmation: false })).toBe(false);
    expect(await make({ scope: 'read', requiresConfirmation: true })).toBe(false);
    await ada
      .post('/api/v1/me/tokens', { name: 'New', scope: 'act', requiresConfirmation: null })
      .expect(400);
    const assistant = await createAssistant();
    const { body: me } = await assistant.get('/api/v1/me').expect(200);
    expect(me.token).toMatchObject({ scope: 'admin', requiresConfirmation: true });
    const { body: audit } = await ada.get('/api/v1/me/audit?perPage=1').expect(200);
    expect(audit.data[0].details).toMatchObject({ requiresConfirmation: true });
  });

  test('is refused by every route that changes something without asking, and by no other for that', async () => {
    const assistant = await createAssistant();
    const refused: string[] = [];
    for (const [name, { method, path, access }] of Object.entries<RouteContract>(API_ROUTES)) {
      if (access !== 'act' && access !== 'admin') continue;
      const { status, body } = await assistant[method](path.replaceAll(/\{\w+\}/g, UNKNOWN_ID));
      if (body.code !== 'confirmation_required') continue;
      expect(status).toBe(403);
      refused.push(name);
    }
    expect(refused.toSorted()).toEqual(
      [
        'allowSuggestion',
        'confirmSuggestions',
        'createRule',
        'deleteRule',
        'executeInboxAction',
        'protectByName',
        'protectSender',
        'resumeCleanup',
        'runRule',
        'undoRule',
        'unprotectSender',
        'unsubscribe',
        'updatePreferences',
        'updateRule',
      ].toSorted(),
    );
    await ada.post('/api/v1/inbox/actions', { emailIds: ['offer-1'], action: 'mark_read' }).expect(200);
  });
});

describe('a cleanup that such a token runs', () => {
  test('waits, changes nothing, and runs once a session confirms it', async () => {
    const assistant = await createAssistant();
    const plan = await planWith(assistant);
    const { body: asked } = await run(assistant, plan.id).expect(202);
    expect(CleanupSchema.parse(asked)).toEqual(asked);
    expect(asked).toMatchObject({
      state: 'awaiting_confirmation',
      askedBy: 'A admin program',
      startedAt: null,
    });
    // Asking again neither runs it nor asks twice.
    await run(assistant, plan.id).expect(202);
    expect((await ada.get(CLEANUPS).expect(200)).body).toMatchObject({
      total: 1,
      data: [{ id: plan.id, state: 'awaiting_confirmation' }],
    });
    expect(await api.google.labelsOf('offer-1')).toContain('INBOX');
    const { body: confirmed } = await run(ada, plan.id).expect(200);
    expect(confirmed).toMatchObject({ state: 'queued', askedBy: 'A admin program' });
    expect((await run(assistant, plan.id).expect(200)).body.state).toBe('queued');
  });

  test('waits, too, where a token that does not ask names it in the request', async () => {
    const script = await createProgram(api.url, ada, 'act');
    const plan = await planWith(script);
    const asking = { requiresConfirmation: true };
    const { body } = await script.post(`${CLEANUPS}/${plan.id}/run`, asking).expect(202);
    expect(body).toMatchObject({ state: 'awaiting_confirmation', askedBy: 'A act program' });
    // A session is the confirmation, whatever it sends.
    const { body: confirmed } = await ada.post(`${CLEANUPS}/${plan.id}/run`, asking).expect(200);
    expect(confirmed.state).toBe('queued');
  });

  test('with a key returns the same response again', async () => {
    const assistant = await createAssistant();
    const plan = await planWith(assistant);
    for (const replayed of [undefined, 'true']) {
      const { headers } = await run(assistant, plan.id).set('idempotency-key', 'one').expect(202);
      expect(headers['idempotency-replayed']).toBe(replayed);
    }
  });

  test('is confirmed neither by a token, nor by another user', async () => {
    const assistant = await createAssistant();
    const plan = await planWith(assistant);
    await run(assistant, plan.id).expect(202);
    const script = await createProgram(api.url, ada, 'admin');
    expect((await run(script, plan.id).expect(409)).body).toMatchObject({
      code: 'wrong_state',
      detail: 'Nothing was done: a cleanup that is awaiting_confirmation takes no run.',
    });
    await run(grace, plan.id).expect(404);
    await grace.post(`${CLEANUPS}/${plan.id}/cancel`, {}).expect(404);
    expect((await ada.get(`${CLEANUPS}/${plan.id}`).expect(200)).body.state).toBe('awaiting_confirmation');
  });

  test('is declined for good', async () => {
    const assistant = await createAssistant();
    const plan = await planWith(assistant);
    await run(assistant, plan.id).expect(202);
    const { body } = await ada.post(`${CLEANUPS}/${plan.id}/cancel`, {}).expect(200);
    expect(body.state).toBe('cancelled');
    for (const client of [assistant, ada]) await run(client, plan.id).expect(409);
  });

  test('expires as its plan does', async () => {
    const assistant = await createAssistant();
    const plan = await planWith(assistant);
    await run(assistant, plan.id).expect(202);
    await query(`UPDATE "Cleanup" SET "expiresAt" = now()`);
    expect((await ada.get(`${CLEANUPS}/${plan.id}`).expect(200)).body.state).toBe('expired');
    await run(ada, plan.id).expect(409);
  });

  test('is kept beside ten others that wait, however many plans there are', async () => {
    const assistant = await createAssistant();
    const waiting: string[] = [];
    for (let count = 0; count < 11; count += 1) {
      const { id } = await planWith(assistant);
      await run(assistant, id).expect(202);
      waiting.push(id);
    }
    const plans: string[] = [];
    for (let count = 0; count < 11; count += 1) plans.push((await planWith(ada)).id);
    const { body } = await ada.get(`${CLEANUPS}?perPage=100`).expect(200);
    expect(body.data.map(({ id }: Cleanup) => id).toSorted()).toEqual(
      [...waiting.slice(1), ...plans.slice(1)].toSorted(),
    );
  });
});

describe('a plan of more than an hour ago', () => {
  test('is run by no token, and still by its user', async () => {
    const [assistant, script] = [await createAssistant(), await createProgram(api.url, ada, 'act')];
    const plan = await planWith(script);
    await query(`UPDATE "Cleanup" SET "createdAt" = now() - interval '61 minutes'`);
    for (const program of [assistant, script]) {
      expect((await run(program, plan.id).expect(409)).body).toMatchObject({
        code: 'wrong_state',
        detail: 'Nothing was done: a plan is run with a token within 1 hour: make a new one.',
      });
    }
    expect((await run(ada, plan.id).expect(200)).body.state).toBe('queued');
  });

  test('is run by a token up to then', async () => {
    const script = await createProgram(api.url, ada, 'act');
    const plan = await planWith(script);
    await query(`UPDATE "Cleanup" SET "createdAt" = now() - interval '59 minutes'`);
    expect((await run(script, plan.id).expect(200)).body.state).toBe('queued');
  });
});

let api: ApiHarness;
let ada: ApiClient;
let grace: ApiClient;

const query = <T extends object>(sql: string) => api.testDatabase.query<T>(sql);
const createAssistant = () => createProgram(api.url, ada, 'admin', { requiresConfirmation: true });
const planWith = async (client: Pick<ApiClient, 'post'>): Promise<Cleanup> =>
  (await client.post(CLEANUPS, ARCHIVE).expect(200)).body;
const run = (client: Pick<ApiClient, 'post'>, id: string) => client.post(`${CLEANUPS}/${id}/run`, {});

beforeAll(async () => {
  const offer = { id: 'offer-1', from: 'Shop <shop@shop.example>', subject: 'Offer', text: 'Buy' };
  api = await startApi({ mail: { 'ada@example.com': [offer] } });
  ada = await api.signIn();
  grace = await api.signIn('grace@example.com');
});
beforeEach(async () => {
  await query('DELETE FROM "Cleanup"');
  await query('DELETE FROM "PersonalToken"');
});
afterAll(() => api?.close());
