import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../../testing/api-harness.ts';

describe('POST /api/v1/inbox/actions', () => {
  test('archive takes emails out of the inbox, with a result for each', async () => {
    const response = await act(['a1', 'a2'], 'archive');

    expect(response.body).toEqual({
      success: true,
      execution: 'full',
      action: 'archive',
      source: 'inbox',
      summary: { total: 2, processed: 2, failed: 0 },
      results: [
        { emailId: 'a1', status: 'ok', recordId: expect.any(String) },
        { emailId: 'a2', status: 'ok', recordId: expect.any(String) },
      ],
    });
    expect(await api.google.labelsOf('a1')).toEqual(['CATEGORY_PROMOTIONS', 'UNREAD']);
    expect(await api.google.labelsOf('a2')).toEqual(['CATEGORY_PROMOTIONS', 'UNREAD']);
  });

  test('each email that succeeded carries the record that takes its action back', async () => {
    const [result] = (await act(['b1'], 'archive')).body.results;

    await ada.post('/api/v1/notifications/history/undo', { ids: [result.recordId] }).expect(200);
    expect(await api.google.labelsOf('b1')).toContain('INBOX');
  });

  test('delete moves to the trash, and never deletes for good', async () => {
    await act(['d1'], 'delete');

    expect(await api.google.labelsOf('d1')).toEqual(['CATEGORY_PROMOTIONS', 'TRASH', 'UNREAD']);
    expect(
      api.google.calls.filter(({ method, path }) => method === 'DELETE' || /batchDelete/.test(path)),
    ).toEqual([]);
  });

  test('mark_unread marks unread', async () => {
    await act(['read'], 'mark_unread');

    expect(await api.google.labelsOf('read')).toEqual(['INBOX', 'UNREAD']);
  });

  test('mark_read marks read, is recorded as such, and can be undone', async () => {
    const { body } = await act(['u4'], 'mark_read');
    expect(body).toMatchObject({ action: 'mark_read', execution: 'full' });
    expect(await api.google.labelsOf('u4')).not.toContain('UNREAD');

    const { recordId } = body.results[0];
    const { data } = (await ada.get('/api/v1/notifications/history?perPage=1')).body;
    expect(data[0]).toMatchObject({ id: recordId, action: 'mark_read', details: { source: 'inbox' } });
    expect((await act(['u4'], 'mark_read')).body.results[0]).toMatchObject({ unchanged: true });

    await ada.post('/api/v1/notifications/history/undo', { ids: [recordId] }).expect(200);
    expect(await api.google.labelsOf('u4')).toContain('UNREAD');
  });

  test('says which emails already were as requested, those of an earlier request and others', async () => {
    const unchanged = async (emailIds: string[], action: string) =>
      (await act(emailIds, action)).body.results.map((result: { unchanged?: true }) => result.unchanged);

    expect(await unchanged(['u1'], 'archive')).toEqual([undefined]);
    expect(await unchanged(['u2', 'u1'], 'archive')).toEqual([undefined, true]);
    expect(await unchanged(['u1', 'u2', 'u1'], 'archive')).toEqual([true, true]);
    expect(await unchanged(['u1', 'u3'], 'mark_unread')).toEqual([true, undefined]);
    expect(
      await unchanged(
        numbered('u', 12).map(({ id }) => id),
        'archive',
      ),
    ).toEqual([true, true, ...Array(10).fill(undefined)]);
    const { body } = await act(['u1', 'gone'], 'archive');
    expect(body).toMatchObject({ execution: 'partial', summary: { total: 2, processed: 1, failed: 1 } });
    expect(body.results).toEqual([
      { emailId: 'u1', status: 'ok', recordId: expect.any(String), unchanged: true },
      { emailId: 'gone', status: 'error', reason: 'not_found' },
    ]);
  });

  test('writes one history record for each email, with source inbox and the label change that really happened', async () => {
    const beforeMs = Date.now();
    await act(['h1'], 'archive');
    await act(['h1'], 'delete');
    await act(['h1'], 'mark_unread');

    const { data } = (await ada.get('/api/v1/notifications/history?perPage=3')).body;
    expect(data).toEqual([
      toRecord('h1', 'mark_unread', { added: [], removed: [] }),
      toRecord('h1', 'delete', { added: ['TRASH'], removed: [] }),
      toRecord('h1', 'archive', { added: [], removed: ['INBOX'] }),
    ]);
    expect(Date.parse(data[2].timestamp)).toBeGreaterThanOrEqual(beforeMs);
    expect(Date.parse(data[0].timestamp)).toBeLessThanOrEqual(Date.now());
  });

  test('publishes no event: direct actions confirm no suggestion', async () => {
    await act(['e1'], 'archive');

    expect(await api.listEvents()).toEqual([]);
  });

  test('R22: 3 of 10 unknown ids make it partial, in the order of the request', async () => {
    const response = await act(['p1', 'x1', 'p2', 'p3', 'x2', 'p4', 'p5', 'p6', 'x3', 'p7'], 'archive');

    expect(response.body).toMatchObject({
      success: true,
      execution: 'partial',
      summary: { total: 10, processed: 7, failed: 3 },
    });
    expect(response.body.results).toEqual(
      ['p1', 'x1', 'p2', 'p3', 'x2', 'p4', 'p5', 'p6', 'x3', 'p7'].map((emailId) =>
        emailId.startsWith('x')
          ? { emailId, status: 'error', reason: 'not_found' }
          : { emailId, status: 'ok', recordId: expect.any(String) },
      ),
    );
    expect(await historyOf('x1')).toEqual([]);
    expect(await historyOf('p7')).toHaveLength(1);
  });

  test('unknown ids alone make it none, still with status 200 and successful as a request', async () => {
    const response = await act(['x1', 'x2'], 'delete');

    expect(response.body).toMatchObject({
      success: true,
      execution: 'none',
      summary: { total: 2, processed: 0, failed: 2 },
    });
  });

  test('an id that occurs twice is acted upon, recorded and reported once', async () => {
    const response = await act(['twice', 'x1', 'twice', 'twice'], 'archive');

    expect(response.body.results.map((result: { emailId: string }) => result.emailId)).toEqual([
      'twice',
      'x1',
    ]);
    expect(response.body.summary.total).toBe(2);
    expect(await historyOf('twice')).toHaveLength(1);
  });

  test('1,000 emails are taken at once', async () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => `bulk-${index}`);
    const response = await act(ids, 'archive');

    expect(response.body.summary).toEqual({ total: 1_000, processed: 0, failed: 1_000 });
    expect(response.body.results.map((result: { emailId: string }) => result.emailId)).toEqual(ids);
    // Some 2,000 calls, one by one.
  }, 120_000);

  test('an email of another user is not found, and stays as it was', async () => {
    const response = await act(['g1'], 'delete');

    expect(response.body.results).toEqual([{ emailId: 'g1', status: 'error', reason: 'not_found' }]);
    expect(await api.google.labelsOf('g1', 'grace@example.com')).toContain('INBOX');
  });
});

describe('R22: when Gmail fails on the way', () => {
  test('what was done is reported as ok, what was not carries the reason', async () => {
    api.google.fail({
      path: /\/messages\/(o[5-9]|o10)\/modify/,
      times: Number.POSITIVE_INFINITY,
      status: 503,
      headers: { 'retry-after': '3600' },
      until: api.google.whenResponded(/\/messages\/o[1-4]\/modify/, 4),
    });
    await ada.get('/api/v1/emails?pageSize=100').expect(200);
    const ids = Array.from({ length: 10 }, (_, index) => `o${index + 1}`);
    const response = await act(ids, 'archive');

    expect(response.body).toMatchObject({
      success: true,
      execution: 'partial',
      summary: { processed: 4, failed: 6 },
    });
    expect(response.body.results.slice(0, 4)).toEqual(
      ids.slice(0, 4).map((emailId) => ({ emailId, status: 'ok', recordId: expect.any(String) })),
    );
    expect(response.body.results.slice(4)).toEqual(
      ids.slice(4).map((emailId) => ({ emailId, status: 'error', reason: 'mailbox_unavailable' })),
    );
    expect(await historyOf('o4')).toHaveLength(1);
    expect(await historyOf('o5')).toEqual([]);
    const labels = await Promise.all(ids.map((id) => api.google.labelsOf(id)));
    expect(labels.map((names) => names.includes('INBOX'))).toEqual(ids.map((_id, index) => index >= 4));
  });

  test('R21: a missing scope is the reason of the email, tried once', async () => {
    api.google.fail({
      path: /\/messages\/s1\/modify/,
      times: 9,
      status: 403,
      body: { error: { code: 403, errors: [{ reason: 'insufficientPermissions' }] } },
    });
    const response = await act(['s1'], 'archive');

    expect(response.body).toMatchObject({
      execution: 'none',
      results: [{ emailId: 's1', status: 'error', reason: 'missing_scope' }],
    });
    expect(api.google.countCalls(/\/messages\/s1\/modify/)).toBe(1);
    // It ended the connection.
    ada = await api.signIn();
  });

  test('a refused permission is the reason of the email, tried once', async () => {
    api.google.fail({ path: /\/messages\/f1\/modify/, times: 9, status: 403 });
    const response = await act(['f1', 'f2'], 'archive');

    expect(response.body.results).toEqual([
      { emailId: 'f1', status: 'error', reason: 'forbidden' },
      { emailId: 'f2', status: 'ok', recordId: expect.any(String) },
    ]);
    expect(api.google.countCalls(/\/messages\/f1\/modify/)).toBe(1);
  });

  test('being asked to slow down is the reason of every email not reached', async () => {
    api.google.fail({
      path: /\/messages\/l1\/modify/,
      times: 9,
      status: 429,
      headers: { 'retry-after': '3600' },
    });
    const response = await act(['l1'], 'archive');

    expect(response.body.results).toEqual([{ emailId: 'l1', status: 'error', reason: 'rate_limited' }]);
  });
});

const act = (emailIds: string[], action: string) =>
  ada.post('/api/v1/inbox/actions', { emailIds, action }).expect(200);

const historyOf = (emailId: string) =>
  api.testDatabase.query('SELECT * FROM "ActionHistory" WHERE "emailId" = $1', [emailId]);

const toRecord = (emailId: string, action: string, labelChange: { added: string[]; removed: string[] }) => ({
  id: expect.stringMatching(/^[\da-f-]{36}$/),
  userId: ada.userId,
  emailId,
  action,
  timestamp: expect.stringMatching(/Z$/),
  details: {
    source: 'inbox',
    gmailResponse: { status: labelChange.added.length + labelChange.removed.length > 0 ? 'ok' : 'unchanged' },
    note: '',
    labelChange,
    ...(labelChange.added.length + labelChange.removed.length > 0
      ? { mailboxHistoryId: expect.stringMatching(/^\d+$/) }
      : {}),
  },
  undoneAt: null,
  batchId: expect.stringMatching(/^[\da-f-]{36}$/),
});

const numbered = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `${prefix}${index + 1}` }));

let api: ApiHarness;
let ada: ApiClient;
beforeAll(async () => {
  api = await startApi({
    mail: {
      'ada@example.com': [
        ...['a1', 'a2', 'b1', 'd1', 'h1', 'e1', 'twice', 'f1', 'f2', 'l1', 's1'].map((id) => ({ id })),
        { id: 'read', labelIds: ['INBOX'] },
        ...numbered('p', 7),
        ...numbered('o', 10),
        ...numbered('u', 12).map(({ id }) => ({ id, ...(id === 'u3' && { labelIds: ['INBOX'] }) })),
      ],
      'grace@example.com': [{ id: 'g1' }],
    },
  });
  ada = await api.signIn();
});
beforeEach(() => api.google.heal());
afterAll(() => api.close());
