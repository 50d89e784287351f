import { API_ROUTES, type Problem, type RouteContract } from '@mailsweep/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../testing/api-harness.ts';

const ids = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`);
const uuid = '019a0000-0000-7000-8000-000000000000';

const FAULTY_QUERIES: [path: string, query: string, field: string][] = [
  ...['yes', '1', 'TRUE', 'False', ''].map((value): [string, string, string] => [
    '/api/v1/emails',
    `unread=${value}`,
    'unread',
  ]),
  ...['0x10', '1.5', '7.0', '-1', '1e3', '%2B1', ' 1', '', 'abc', '36501', '99999999999999999999'].map(
    (value): [string, string, string] => ['/api/v1/emails', `olderThan=${value}`, 'olderThan'],
  ),
  ['/api/v1/emails', 'minAttachmentSize=5.5', 'minAttachmentSize'],
  ['/api/v1/emails', 'minAttachmentSize=-5', 'minAttachmentSize'],
  ...['', '%20', 'x'.repeat(501), '(from:amy', 'from:amy)', '%7Ba(b%7D)', 'subject:%22amy', 'from:'].map(
    (value): [string, string, string] => ['/api/v1/emails', `search=${value}`, 'search'],
  ),
  ['/api/v1/emails', 'category=spam', 'category'],
  ['/api/v1/emails', 'category=Promotions', 'category'],
  ['/api/v1/emails', 'category=social&category=updates', 'category'],
  ['/api/v1/emails', 'pageToken=', 'pageToken'],
  ['/api/v1/emails', 'pageSize=0', 'pageSize'],
  ['/api/v1/emails', 'pageSize=101', 'pageSize'],
  ['/api/v1/emails', 'scope=trash', 'scope'],
  ['/api/v1/emails', 'sort=asc', 'sort'],
  ['/api/v1/emails', 'unread[]=true', 'unread[]'],
  ['/api/v1/emails', '__proto__=1', '__proto__'],
  ['/api/v1/suggestions', 'unread=true', 'unread'],
  ['/api/v1/suggestions', 'pageSize=9999', 'pageSize'],
  ['/api/v1/notifications/summary', 'period=monthly', 'period'],
  ['/api/v1/notifications/summary', 'period=Daily', 'period'],
  ['/api/v1/notifications/summary', 'period=', 'period'],
  ['/api/v1/notifications/summary', 'period=daily&period=weekly', 'period'],
  ['/api/v1/notifications/summary', 'userId=x', 'userId'],
  ...['/api/v1/notifications/history', '/api/v1/notifications/events'].flatMap((path) =>
    [
      'page=0',
      'page=1e9',
      'page=1000000000',
      'page=-1',
      'page=1.0',
      'page=1&page=2',
      'perPage=0',
      'perPage=101',
    ].map((query): [string, string, string] => [path, query, query.split('=', 1)[0] ?? '']),
  ),
  ['/api/v1/notifications/history', 'type=domain.suggestions.confirmed', 'type'],
  ...[
    'SUGGESTION_GENERATED',
    'NEW_SUGGESTIONS_EVENT',
    'NEW_SUGGESTIONS_AVAILABLE',
    'NEW_SUGGESTIONS',
    'SUGGESTIONS_GENERATED',
    'domain.suggestions',
    '',
  ].map((type): [string, string, string] => ['/api/v1/notifications/events', `type=${type}`, 'type']),
  ['/api/v1/notifications/events', 'userId=', 'userId'],
];

const FAULTY_BODIES: [path: string, body: unknown, fields: string[]][] = [
  ...[
    {
      path: '/api/v1/inbox/actions',
      action: 'archive',
      others: ['accept', 'label', 'mark_important', 'ARCHIVE'],
    },
    { path: '/api/v1/notifications/confirm', action: 'accept', others: ['archive', 'ACCEPT', 'confirm'] },
  ].flatMap(({ path, action, others }): [string, unknown, string[]][] => [
    [path, {}, ['emailIds', 'action']],
    [path, undefined, ['emailIds', 'action']],
    [path, { emailIds: ['a'] }, ['action']],
    [path, { action }, ['emailIds']],
    [path, { emailIds: [], action }, ['emailIds']],
    [path, { emailIds: ids(1_001), action }, ['emailIds']],
    [path, { emailIds: 'a', action }, ['emailIds']],
    [path, { emailIds: null, action }, ['emailIds']],
    [path, { emailIds: { 0: 'a' }, action }, ['emailIds']],
    [path, { emailIds: ['a', 1], action }, ['emailIds.1']],
    [path, { emailIds: ['a', ''], action }, ['emailIds.1']],
    [path, { emailIds: ['a', '../b', 'c/d'], action }, ['emailIds.1', 'emailIds.2']],
    [path, { emailIds: ['a', 'x'.repeat(256)], action }, ['emailIds.1']],
    ...[...others, '', 1, null, ['archive'], true].map((one): [string, unknown, string[]] => [
      path,
      { emailIds: ['a'], action: one },
      ['action'],
    ]),
    [path, { emailIds: ['a'], action, permanent: true }, ['permanent']],
    [path, JSON.parse(`{"emailIds":["a"],"action":"${action}","__proto__":{"isAdmin":true}}`), ['__proto__']],
    [path, { emailIds: ['a'], action, constructor: { prototype: {} } }, ['constructor']],
  ]),
  ['/api/v1/notifications/history/undo', {}, ['ids']],
  ['/api/v1/notifications/history/undo', { ids: [] }, ['ids']],
  ['/api/v1/notifications/history/undo', { ids: ['not-a-uuid', uuid] }, ['ids.0']],
  ['/api/v1/notifications/history/undo', { ids: Array(1_001).fill(uuid) }, ['ids']],
  ['/api/v1/notifications/history/undo', { emailIds: ['a'], ids: [uuid] }, ['emailIds']],
  ['/api/v1/notifications/history/1/undo', undefined, ['id']],
  ['/api/v1/notifications/history/..%2f1/undo', undefined, ['id']],
];

describe('an invalid query gets 400, with the field named', () => {
  test.each(FAULTY_QUERIES)('%s?%s', async (path, query, field) => {
    const response = await ada.get(`${path}?${query}`);

    expect(response.status).toBe(400);
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(response.body).toEqual({
      type: expect.stringMatching(/^http.*\/docs\/problems#validation_failed$/),
      title: 'Bad request',
      status: 400,
      detail: expect.stringContaining(field),
      instance: path,
      code: 'validation_failed',
      requestId: response.headers['x-request-id'],
      errors: [{ path: field, message: expect.stringMatching(/./) }],
    });
  });
});

describe('an invalid body gets 400, with every invalid field named, and nothing is done', () => {
  test.each(FAULTY_BODIES)('%s %j', async (path, body, fields) => {
    const response = await ada.post(path, body as object);

    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ status: 400, code: 'validation_failed', instance: path });
    expect([...new Set(response.body.errors.map((error: { path: string }) => error.path))]).toEqual(fields);
    expect(api.google.calls).toEqual([]);
  });

  test('and leaves no trace in the database', async () => {
    expect(await api.testDatabase.query('SELECT FROM "ActionHistory"')).toEqual([]);
    expect(await api.testDatabase.query('SELECT FROM "ActionIntent"')).toEqual([]);
    expect(Object.prototype).not.toHaveProperty('isAdmin');
  });
});

describe('what a route does not take is refused, and nothing is done', () => {
  const routes = Object.entries<RouteContract>(API_ROUTES).filter(([, { isUnlimited }]) => !isUnlimited);

  test.each(routes)('in the query and the body of %s', async (_name, { method, path, body, examples }) => {
    const target = path.replaceAll(/\{(\w+)\}/g, (_, name) => Object(examples?.params)[name]);
    const sent = body && (Object.values(examples?.bodies ?? {})[0] as object);
    expect(await readFaults(ada[method](`${target}?olderThn=30`, sent))).toContain('olderThn');
    if (method === 'get') return;
    expect(await readFaults(ada[method](target, { ...sent, emailIdz: ['a'] }))).toEqual(['emailIdz']);
  });

  test('but by health checks, to which monitors add what they need', async () => {
    await ada.get('/api/v1/health?at=1').expect(200);
  });

  test('at no place', async () => {
    expect(api.google.calls).toEqual([]);
    expect(await api.testDatabase.query('SELECT FROM "Cleanup"')).toEqual([]);
  });
});

describe('where it is configured so', () => {
  test('an invalid request gets 422, wherever the fault is found', async () => {
    const { url } = await api.startReplica({ VALIDATION_ERROR_STATUS: '422' });
    const headers = { cookie: ada.cookie };
    const invalid = { title: 'Unprocessable content', status: 422, code: 'validation_failed' };
    for (const query of ['unread=maybe', 'pageToken=of-another-mailbox']) {
      const faulty = await fetch(`${url}/api/v1/emails?${query}`, { headers });
      expect(faulty.status).toBe(422);
      expect(await faulty.json()).toMatchObject(invalid);
    }
    const unknown = await fetch(`${url}/api/v1/nothing`, { headers });
    expect(unknown.status).toBe(404);
  });
});

const readFaults = async (request: PromiseLike<{ status: number; body: Partial<Problem> }>) => {
  const { status, body } = await request;
  expect(status).toBe(400);
  return body.errors?.map(({ path }) => path);
};

let api: ApiHarness;
let ada: ApiClient;
beforeAll(async () => {
  api = await startApi();
  ada = await api.signIn();
  api.google.heal();
});
afterAll(() => api.close());
