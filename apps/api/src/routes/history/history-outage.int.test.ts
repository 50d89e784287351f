import type { ActionHistoryRecord } from '@mailsweep/contracts';
import type { Response } from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, createClient, startApi } from '../../testing/api-harness.ts';

/** The API looks after unfinished records every 5 s. */
const RECOVERY = { timeout: 15_000, interval: 100 };

describe('R23: while the history can’t be written', () => {
  test('the response has the true outcomes of an action all the same', async () => {
    expect(responses.archive.status).toBe(200);
    expect(responses.archive.body).toMatchObject({
      success: true,
      execution: 'partial',
      summary: { total: 3, processed: 2, failed: 1 },
      results: [
        { emailId: 'a1', status: 'ok' },
        { emailId: 'unknown', status: 'error', reason: 'not_found' },
        { emailId: 'a2', status: 'ok' },
      ],
    });
    expect(await api.google.labelsOf('a1')).not.toContain('INBOX');
  });

  test('confirmed suggestions get the records to come', () => {
    expect(responses.confirm.status).toBe(200);
    expect(responses.confirm.body).toMatchObject({ success: true, processed: 2, execution: 'full' });
    expect(responses.confirm.body.data).toHaveLength(2);
  });

  test('an undo is carried out all the same', async () => {
    expect(responses.undo.body.results).toMatchObject([{ emailId: 'u1', status: 'ok' }]);
    expect(await api.google.labelsOf('u1')).toContain('INBOX');
  });

  test('nothing of it is in the history, and there is no event for it', () => {
    expect(responses.history.body.data.map(({ emailId }: ActionHistoryRecord) => emailId)).toEqual(['u1']);
    expect(responses.history.body.data[0].undoneAt).toBeNull();
    expect(responses.eventCount).toBe(0);
  });
});

describe('R23: once the history can be written again', () => {
  test('the records are there, with their original timestamps', async () => {
    await expect.poll(() => recordOf('a1'), RECOVERY).toBeDefined();
    for (const record of [await recordOf('a1'), await recordOf('a2')]) {
      expect(Date.parse(record?.timestamp ?? '')).toBeGreaterThanOrEqual(responses.beganMs);
      expect(Date.parse(record?.timestamp ?? '')).toBeLessThanOrEqual(responses.endedMs);
      expect(record?.details).toMatchObject({
        source: 'inbox',
        labelChange: { added: [], removed: ['INBOX'] },
      });
    }
    expect(await recordOf('unknown')).toBeUndefined();
  });

  test('confirmed suggestions are recorded as in the response, and their one event is published', async () => {
    await expect.poll(api.listEvents, RECOVERY).toHaveLength(1);
    expect([await recordOf('c1'), await recordOf('c2')]).toEqual(responses.confirm.body.data);
    expect((await api.listEvents())[0]?.payload).toMatchObject({
      type: 'domain.suggestions.confirmed',
      emailIds: ['c1', 'c2'],
      summary: { totalConfirmed: 2, action: 'accept' },
    });
  });

  test('the undo is noted with the time in the response', async () => {
    const { undoneAt } = responses.undo.body.results[0];
    await expect.poll(async () => (await recordOf('u1'))?.undoneAt, RECOVERY).toBe(undoneAt);
  });

  test('an API that stopped meanwhile is replaced by another', async () => {
    await expect.poll(() => recordOf('n1'), RECOVERY).toMatchObject({ action: 'delete' });
    expect(Date.parse((await recordOf('n1'))?.timestamp ?? '')).toBeLessThanOrEqual(responses.endedMs);
  });

  test('nothing is left to be done', async () => {
    const listIntents = () => api.testDatabase.query('SELECT FROM "ActionIntent"');
    await expect.poll(listIntents, RECOVERY).toEqual([]);
  });
});

const breakHistory = () =>
  api.testDatabase.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the disk is full'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON "ActionHistory" EXECUTE FUNCTION refuse();`);

const mendHistory = () => api.testDatabase.query('DROP FUNCTION refuse CASCADE');

const listHistory = () => ada.get('/api/v1/notifications/history').expect(200);

const recordOf = async (id: string): Promise<ActionHistoryRecord | undefined> =>
  (await listHistory()).body.data.find(({ emailId }: ActionHistoryRecord) => emailId === id);

let api: ApiHarness;
let ada: ApiClient;
let responses: Record<'archive' | 'confirm' | 'undo' | 'history', Response> &
  Record<'beganMs' | 'endedMs' | 'eventCount', number>;

beforeAll(async () => {
  const messages = ['a1', 'a2', 'c1', 'c2', 'u1', 'n1'].map((id) => ({ id }));
  api = await startApi({ mail: { 'ada@example.com': messages } });
  ada = await api.signIn();
  await ada.post('/api/v1/inbox/actions', { emailIds: ['u1'], action: 'archive' }).expect(200);
  const dying = await api.startReplica();

  await breakHistory();
  const beganMs = Date.now();
  const archive = await ada.post('/api/v1/inbox/actions', {
    emailIds: ['a1', 'unknown', 'a2'],
    action: 'archive',
  });
  const confirm = await ada.post('/api/v1/notifications/confirm', {
    emailIds: ['c1', 'c2'],
    action: 'accept',
  });
  const undo = await ada.post(`/api/v1/notifications/history/${(await recordOf('u1'))?.id}/undo`);
  await createClient(dying.url, ada.token)
    .post('/api/v1/inbox/actions', { emailIds: ['n1'], action: 'delete' })
    .expect(200);
  const endedMs = Date.now();
  await dying.stop();
  const history = await listHistory();
  const eventCount = (await api.listEvents()).length;
  await mendHistory();
  // The lease of the stopped API would keep the other away for half a minute.
  await api.testDatabase.query(`UPDATE "ActionIntent" SET "leasedUntil" = now() - interval '1 s'`);
  responses = { archive, confirm, undo, history, beganMs, endedMs, eventCount };
});
afterAll(() => api.close());
