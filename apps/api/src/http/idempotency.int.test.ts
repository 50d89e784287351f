import type { ActionHistoryRecord } from '@mailsweep/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ApiClient,
  type ApiHarness,
  createClient,
  FRONTEND_ORIGIN,
  startApi,
} from '../testing/api-harness.ts';

describe('R41: a request with an Idempotency-Key', () => {
  test('gets the same response again, to the byte, and is carried out once', async () => {
    const emailIds = takeEmails(2);
    const first = await post(ACT, { emailIds: [...emailIds, 'unknown'], action: 'archive' }, 'archive-once');
    const again = await post(
      ACT,
      { action: 'archive', emailIds: [...emailIds, 'unknown'] },
      'archive-once',
      there,
    );

    expect(first.status).toBe(200);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    expect(again.status).toBe(200);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    expect(again.text).toBe(first.text);
    expect(await listRecords(emailIds)).toHaveLength(2);
  });

  test.each(['', '"', 'two words', 'a,b', `${'k'.repeat(256)}`, '"quote"d"', 'ümlaut'])(
    'is refused when the key is %j',
    async (key) => {
      const emailIds = takeEmails(1);
      const response = await post(ACT, { emailIds, action: 'archive' }, Buffer.from(key).toString('latin1'));

      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({
        code: 'validation_failed',
        errors: [{ path: 'Idempotency-Key' }],
      });
      expect(await listRecords(emailIds)).toEqual([]);
    },
  );

  test.each([['k'.repeat(255)], ['"two words"'], ['8e03978e-40d5-43e8-bc93-6894a57f9324']])(
    'is taken when the key is %j',
    async (key) => {
      await post(ACT, { emailIds: takeEmails(1), action: 'archive' }, key).expect(200);
    },
  );

  test('means the same key with and without quotes', async () => {
    const body = { emailIds: takeEmails(1), action: 'archive' };
    await post(ACT, body, 'quoted-or-not').expect(200);
    expect((await post(ACT, body, '"quoted-or-not"')).headers['idempotency-replayed']).toBe('true');
  });

  test('is refused when another request had the key: another body, another route', async () => {
    const emailIds = takeEmails(1);
    await post(ACT, { emailIds, action: 'archive' }, 'taken').expect(200);
    for (const [path, body] of [
      [ACT, { emailIds, action: 'delete' }],
      [CONFIRM, { emailIds, action: 'accept' }],
    ] as const) {
      const response = await post(path, body, 'taken');
      expect(response.status).toBe(422);
      expect(response.body.code).toBe('idempotency_key_reused');
    }
    expect(await listRecords(emailIds)).toHaveLength(1);
  });

  test('has nothing to do with the same key of another user', async () => {
    const grace = await api.signIn('grace@example.com');
    await post(CONFIRM, { emailIds: ['g1'], action: 'reject' }, 'mine', grace).expect(200);
    const response = await post(CONFIRM, { emailIds: takeEmails(1), action: 'reject' }, 'mine');

    expect(response.status).toBe(200);
    expect(response.headers).not.toHaveProperty('idempotency-replayed');
  });

  test('gets 409 while the first one is running, and its response afterwards', async () => {
    const body = { emailIds: takeEmails(1), action: 'archive' };
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    api.google.heal();
    api.google.fail({ path: /\/modify/, times: 1, until: held });
    const first = post(ACT, body, 'running').then((response) => response);
    await expect.poll(() => api.google.countCalls(/\/modify/), LONG_WAIT).toBe(1);
    const meanwhile = await post(ACT, body, 'running', there);
    letGo();

    expect(meanwhile.status).toBe(409);
    expect(meanwhile.body.code).toBe('idempotency_request_in_flight');
    expect(Number(meanwhile.headers['retry-after'])).toBeGreaterThan(0);
    const { text } = await first;
    expect((await post(ACT, body, 'running')).text).toBe(text);
  });

  test('ten times at once is carried out once', async () => {
    const emailIds = takeEmails(2);
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        post(CONFIRM, { emailIds, action: 'accept' }, 'at-once', index % 2 ? ada : there),
      ),
    );

    expect(new Set(responses.map(({ status }) => status)).difference(new Set([200, 409]))).toEqual(new Set());
    const texts = responses.filter(({ status }) => status === 200).map(({ text }) => text);
    expect(new Set(texts).size).toBe(1);
    expect(await listRecords(emailIds)).toHaveLength(2);
  });

  test('that failed releases its key, also for another body', async () => {
    const [emailId = ''] = takeEmails(1);
    await post(ACT, { emailIds: [], action: 'archive' }, 'second-try').expect(400);
    await post(`${HISTORY}/${UNKNOWN_ID}/undo`, undefined, 'second-try').expect(404);
    await api.testDatabase.query('ALTER TABLE "MailboxLease" RENAME TO "Elsewhere"');
    const failed = await post(ACT, { emailIds: [emailId], action: 'delete' }, 'second-try');
    await api.testDatabase.query('ALTER TABLE "Elsewhere" RENAME TO "MailboxLease"');
    expect(failed.status).toBe(500);

    const response = await post(ACT, { emailIds: [emailId], action: 'archive' }, 'second-try');
    expect(response.body).toMatchObject({ execution: 'full' });
    expect(response.headers).not.toHaveProperty('idempotency-replayed');
  });

  test('whose key is a day old is carried out again', async () => {
    const body = { emailIds: takeEmails(1), action: 'archive' };
    await post(ACT, body, 'yesterday').expect(200);
    await api.testDatabase.query(
      `UPDATE "IdempotencyKey" SET "createdAt" = now() - interval '24 hours 1 second' WHERE "key" = 'yesterday'`,
    );
    expect((await post(ACT, body, 'yesterday')).headers).not.toHaveProperty('idempotency-replayed');
    expect(await listRecords(body.emailIds)).toHaveLength(2);
  });
});

describe('every route that acts', () => {
  test('replays confirmations, undos and scans', async () => {
    const emailIds = takeEmails(1);
    const confirmed = await expectReplay(CONFIRM, { emailIds, action: 'accept' });
    const { id } = confirmed.body.data[0];
    expect((await expectReplay(`${HISTORY}/${id}/undo`)).body.execution).toBe('full');
    const acted = await ada.post(ACT, { emailIds, action: 'archive' });
    const undone = await expectReplay(`${HISTORY}/undo`, { ids: [acted.body.results[0].recordId] });
    expect(undone.body.execution).toBe('full');
    const { data } = (await ada.get(`${HISTORY}/batches?perPage=1`)).body;
    expect((await expectReplay(`${HISTORY}/batches/${data[0].id}/undo`)).body.id).toBe(data[0].id);

    const scan = await expectReplay('/api/v1/scans', { scope: 'inbox' });
    expect(scan.status).toBe(202);
    const cancelled = await expectReplay(`/api/v1/scans/${scan.body.id}/cancel`);
    expect(cancelled.body.state).toBe('cancelled');
  });

  test('takes the header from the web app’s origin, and shows it the mark', async () => {
    const preflight = await fetch(api.url + ACT, {
      method: 'OPTIONS',
      headers: { origin: FRONTEND_ORIGIN, 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('idempotency-key');
    const { headers } = await ada.get('/api/v1/me').set({ origin: FRONTEND_ORIGIN });
    expect(headers['access-control-expose-headers']?.toLowerCase()).toContain('idempotency-replayed');
  });
});

describe('R41: after a crash', () => {
  test('between recording and responding, a retry gets the response without acting again', async () => {
    const emailIds = takeEmails(3);
    const body = { emailIds: [...emailIds, 'unknown'], action: 'accept' };
    const first = await post(CONFIRM, body, 'crashed');
    await forgetResponse('crashed');
    const again = await post(CONFIRM, body, 'crashed', there);

    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect(await listRecords(emailIds)).toHaveLength(3);
  });

  test('a retry says what was unchanged, as the response that was lost', async () => {
    const emailIds = takeEmails(2);
    await post(ACT, { emailIds: emailIds.slice(1), action: 'archive' }, 'before-the-crash');
    const first = await post(ACT, { emailIds, action: 'archive' }, 'crashed-unchanged');
    expect(first.body.results).toMatchObject([{ status: 'ok' }, { status: 'ok', unchanged: true }]);
    await forgetResponse('crashed-unchanged');

    expect((await post(ACT, { emailIds, action: 'archive' }, 'crashed-unchanged')).body).toEqual(first.body);
  });

  test('a retry does what was not done, and nothing again', async () => {
    const [done = '', open = ''] = takeEmails(2);
    const body = { emailIds: [done, open], action: 'archive' };
    api.google.heal();
    api.google.fail({ path: new RegExp(`/${open}/modify`), times: 1, status: 403 });
    const first = await post(ACT, body, 'half');
    expect(first.body.results).toMatchObject([{ status: 'ok' }, { status: 'error' }]);
    await forgetResponse('half');
    const again = await post(ACT, body, 'half');

    expect(again.body).toMatchObject({ execution: 'full', summary: { total: 2, processed: 2 } });
    expect(again.body.results[0]).toEqual(first.body.results[0]);
    const records = await listRecords([done, open]);
    expect(records).toHaveLength(2);
    expect(new Set(records.map(({ batchId }) => batchId)).size).toBe(1);
    expect(await readBatch(records[0]?.batchId)).toMatchObject({ action: 'archive', total: 2 });
  });

  test('an undo responds for the records that it undid, and not for others', async () => {
    const emailIds = takeEmails(2);
    const { body: acted } = await ada.post(ACT, { emailIds, action: 'archive' });
    const [one, other] = acted.results.map(({ recordId }: { recordId: string }) => recordId);
    await ada.post(`${HISTORY}/undo`, { ids: [other] }).expect(200);
    const first = await post(`${HISTORY}/undo`, { ids: [one, other] }, 'undo-crashed');
    expect(first.body.results).toMatchObject([{ status: 'ok' }, { reason: 'already_undone' }]);
    await forgetResponse('undo-crashed');

    expect((await post(`${HISTORY}/undo`, { ids: [one, other] }, 'undo-crashed')).body).toEqual(first.body);
  });

  test('a scan that was started is reported as started', async () => {
    // The one before was cancelled: another begins half a minute later.
    await api.testDatabase.query(`UPDATE "MailboxScan" SET "finishedAt" = now() - interval '31 s'`);
    const first = await post('/api/v1/scans', {}, 'scan-crashed');
    await forgetResponse('scan-crashed');
    const again = await post('/api/v1/scans', {}, 'scan-crashed');

    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.body).toEqual(first.body);
  });

  test('a retry waits while the outcome is pending', async () => {
    const [emailId = ''] = takeEmails(1);
    const body = { emailIds: [emailId], action: 'archive' };
    api.google.heal();
    api.google.fail({
      path: /\/modify/,
      times: 1,
      status: 503,
      headers: { 'retry-after': '3600' },
    });
    await post(ACT, body, 'unsure').expect(200);
    await forgetResponse('unsure');
    expect(await api.testDatabase.query('SELECT FROM "ActionIntent"')).toHaveLength(1);
    const meanwhile = await post(ACT, body, 'unsure');
    expect(meanwhile.status).toBe(409);

    await api.testDatabase.query(`UPDATE "ActionIntent" SET "leasedUntil" = now() - interval '1 s'`);
    await expect
      .poll(async () => (await post(ACT, body, 'unsure')).status, { timeout: 30_000, interval: 200 })
      .toBe(200);
    expect(await listRecords([emailId])).toHaveLength(1);
  });
});

const ACT = '/api/v1/inbox/actions';
const CONFIRM = '/api/v1/notifications/confirm';
const HISTORY = '/api/v1/notifications/history';
const UNKNOWN_ID = '019a0000-0000-7000-8000-000000000000';
const LONG_WAIT = { timeout: 10_000 };

const post = (path: string, body: object | undefined, key: string, client: Pick<ApiClient, 'post'> = ada) =>
  client.post(path, body).set('idempotency-key', key);

let taken = 0;
/** Emails that no test before has touched. */
const takeEmails = (count: number): string[] => {
  taken += count;
  return Array.from({ length: count }, (_, index) => `mail-${taken - count + index + 1}`);
};

let keys = 0;
const expectReplay = async (path: string, body?: object) => {
  keys += 1;
  const first = await post(path, body, `replayed-${keys}`);
  const again = await post(path, body, `replayed-${keys}`, there);
  expect(first.status).toBeLessThan(300);
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect(again.headers['idempotency-replayed']).toBe('true');
  return first;
};

/** Leaves a key as a process does that dies just before it stores the response. */
const forgetResponse = (key: string) =>
  api.testDatabase.query(
    `UPDATE "IdempotencyKey" SET "status" = NULL, "body" = NULL, "leasedUntil" = now() - interval '1 s'
     WHERE "key" = $1`,
    [key],
  );

const listRecords = async (emailIds: string[]): Promise<ActionHistoryRecord[]> =>
  api.testDatabase.query('SELECT * FROM "ActionHistory" WHERE "emailId" = ANY($1)', [emailIds]);

const readBatch = (id: string | null | undefined) =>
  api.testDatabase.database.actionBatch.findUniqueOrThrow({ where: { id: id ?? UNKNOWN_ID } });

let api: ApiHarness;
let ada: ApiClient;
let there: ReturnType<typeof createClient>;
beforeAll(async () => {
  const mail = Array.from({ length: 80 }, (_, index) => ({
    id: `mail-${index + 1}`,
    labelIds: ['INBOX', 'UNREAD'],
  }));
  api = await startApi({ mail: { 'ada@example.com': mail, 'grace@example.com': [{ id: 'g1' }] } });
  ada = await api.signIn();
  there = createClient((await api.startReplica()).url, ada.token);
});
afterAll(() => api.close());
