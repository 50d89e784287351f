import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, createClient, startApi } from '../testing/api-harness.ts';

const REFRESH = /^\/oauth2\/token/;
const GMAIL = /^\/gmail\/v1/;

describe('an access token that has expired', () => {
  test('R07: is renewed exactly once for 20 requests at the same time', async () => {
    await expireAccessToken();

    const responses = await Promise.all(Array.from({ length: 20 }, () => ada.get('/api/v1/emails')));

    expect(responses.map((response) => response.status)).toEqual(Array(20).fill(200));
    expect(api.google.countCalls(REFRESH)).toBe(1);
  });

  test('R07: is renewed exactly once for requests that are spread over replicas', async () => {
    const replica = await api.startReplica();
    const elsewhere = createClient(replica.url, ada.token);
    await expireAccessToken();

    const release = Promise.withResolvers<void>();
    api.google.fail({ path: REFRESH, times: 1, until: release.promise });

    const first = Array.from({ length: 10 }, () =>
      ada.get('/api/v1/emails').then((response) => response.status),
    );
    await expect.poll(() => api.google.countCalls(REFRESH)).toBe(1);
    const second = Array.from({ length: 10 }, () =>
      elsewhere.get('/api/v1/emails').then((response) => response.status),
    );
    await elsewhere.get('/api/v1/me').expect(200);
    release.resolve();

    expect(await Promise.all([...first, ...second])).toEqual(Array(20).fill(200));
    expect(api.google.countCalls(REFRESH)).toBe(1);
  });

  test('R08: leaves the refresh token as it was when it is renewed', async () => {
    const before = await readConnection();
    await expireAccessToken();
    await ada.get('/api/v1/emails').expect(200);
    const after = await readConnection();

    expect(after.encryptedAccessToken).not.toBe(before.encryptedAccessToken);
    expect(after.encryptedRefreshToken).toBe(before.encryptedRefreshToken);
  });

  test('R07: is renewed after a transient error of the provider', async () => {
    await expireAccessToken();
    api.google.fail({ path: REFRESH, times: 2, status: 503 });

    await ada.get('/api/v1/emails').expect(200);
    expect(api.google.countCalls(REFRESH)).toBe(3);
  });

  test.each([
    [401, 'invalid_client', 503, 'provider_configuration'],
    [401, 'deleted_client', 503, 'provider_configuration'],
    [401, 'unauthorized_client', 503, 'provider_configuration'],
    [400, 'policy_enforced', 403, 'domain_policy'],
    [400, 'admin_policy_enforced', 403, 'domain_policy'],
  ])('%i %s is not taken for an outage, and is logged', async (status, error, ...answered) => {
    await expireAccessToken();
    api.google.fail({ path: REFRESH, times: 9, status, body: { error } });
    api.logLines.length = 0;
    const response = await ada.get('/api/v1/emails');

    expect([response.status, response.body.code]).toEqual(answered);
    expect(api.google.countCalls(REFRESH)).toBe(1);
    expect(api.logLines.join('')).toContain(error);
    api.google.heal();
    await ada.get('/api/v1/emails').expect(200);
  });

  test('invalid_rapt asks for a new sign-in, and is logged', async () => {
    const workspaceUser = await api.signIn('grace@example.com');
    await api.testDatabase.query(
      `UPDATE "ProviderConnection" SET "accessTokenExpiresAt" = now() WHERE "userId" = $1`,
      [workspaceUser.userId],
    );
    const body = { error: 'invalid_grant', error_subtype: 'invalid_rapt' };
    api.google.fail({ path: REFRESH, times: 1, status: 400, body });

    expect((await workspaceUser.get('/api/v1/emails').expect(401)).body.code).toBe('reauth_required');
    expect(api.logLines.join('')).toContain('invalid_rapt');
  });

  test('R07: gets 503 while the provider is unreachable, and the connection stays valid', async () => {
    await expireAccessToken();
    api.google.fail({ path: REFRESH, times: 3, status: 503 });

    const response = await ada.get('/api/v1/emails').expect(503);
    expect(response.body.code).toBe('mailbox_unavailable');
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect((await ada.get('/api/v1/me')).body.connection).toBe('active');
    await ada.get('/api/v1/emails').expect(200);
  });

  test('is renewed before it ends, while it is still good for a minute', async () => {
    await api.testDatabase.query(
      `UPDATE "ProviderConnection" SET "accessTokenExpiresAt" = now() + interval '59 s'`,
    );
    await ada.get('/api/v1/emails').expect(200);
    expect(api.google.countCalls(REFRESH)).toBe(1);
  });
});

describe('an access token that Gmail refuses', () => {
  test('R21: is renewed once, and the request succeeds', async () => {
    api.google.fail({ path: GMAIL, times: 1, status: 401 });

    await ada.get('/api/v1/emails').expect(200);
    expect(api.google.countCalls(REFRESH)).toBe(1);
  });

  test('R21: means a new sign-in when Gmail refuses the fresh one too', async () => {
    api.google.fail({ path: GMAIL, times: Number.POSITIVE_INFINITY, status: 401 });

    const response = await ada.get('/api/v1/emails').expect(401);
    expect(response.body.code).toBe('reauth_required');
    expect(api.google.countCalls(REFRESH)).toBe(1);
  });
});

describe('a refresh token that the provider refuses', () => {
  test('R07: ends the connection: 401 reauth_required, without another try', async () => {
    const grace = await api.signIn('grace@example.com');
    await expireAccessToken();
    api.google.heal();
    api.google.fail({ path: REFRESH, times: 1, status: 400, body: { error: 'invalid_grant' } });

    const response = await grace.get('/api/v1/emails').expect(401);
    expect(response.body).toMatchObject({ status: 401, code: 'reauth_required' });
    expect((await grace.get('/api/v1/me').expect(200)).body.connection).toBe('reauth_required');

    const elsewhere = createClient((await api.startReplica()).url, grace.token);
    for (const client of [grace, elsewhere, grace]) {
      expect((await client.get('/api/v1/suggestions').expect(401)).body.code).toBe('reauth_required');
    }
    expect(api.google.countCalls(REFRESH)).toBe(1);
    expect(api.google.countCalls(GMAIL)).toBe(0);
    await (await api.signIn('grace@example.com')).get('/api/v1/emails').expect(200);
  });

  test('does not end the connection that the user has renewed meanwhile by signing in again', async () => {
    const grace = await api.signIn('grace@example.com');
    await expireAccessToken();
    api.google.heal();
    const release = Promise.withResolvers<void>();
    api.google.fail({
      path: REFRESH,
      times: 1,
      status: 400,
      body: { error: 'invalid_grant' },
      until: release.promise,
    });
    const refused = grace.get('/api/v1/emails').then((response) => response.status);
    await expect.poll(() => api.google.countCalls(REFRESH)).toBeGreaterThan(0);
    const signedIn = await api.signIn('grace@example.com');
    release.resolve();

    expect(await refused).toBe(200);
    expect((await signedIn.get('/api/v1/me')).body.connection).toBe('active');
  });

  test('gives every email of an action the reason reauth_required', async () => {
    const grace = await api.signIn('grace@example.com');
    await expireAccessToken();
    api.google.fail({ path: REFRESH, times: 1, status: 400, body: { error: 'invalid_grant' } });

    const response = await grace
      .post('/api/v1/inbox/actions', { emailIds: ['a', 'b'], action: 'archive' })
      .expect(200);
    expect(response.body).toMatchObject({
      execution: 'none',
      results: [
        { emailId: 'a', status: 'error', reason: 'reauth_required' },
        { emailId: 'b', status: 'error', reason: 'reauth_required' },
      ],
    });
  });
});

describe('R09: tokens that can’t be read', () => {
  test.each<[name: string, change: (own: string, foreign: string) => string]>([
    ['stored in another user’s row', (_own, foreign) => foreign],
    ['changed in the middle', (own) => flip(own, 20)],
    ['changed at the end', (own) => flip(own, own.length - 4)],
    ['with one character more', (own) => `${own}.`],
    ['cut off', (own) => own.slice(0, -4)],
  ])('%s are never used', async (_name, change) => {
    const grace = await api.signIn('grace@example.com');
    const [own, foreign] = [await readConnection(grace.userId), await readConnection()];
    await api.testDatabase.query(
      'UPDATE "ProviderConnection" SET "encryptedAccessToken" = $2 WHERE "userId" = $1',
      [grace.userId, change(own.encryptedAccessToken, foreign.encryptedAccessToken)],
    );
    api.google.heal();

    const response = await grace.get('/api/v1/emails').expect(500);
    expect(response.body).toMatchObject({
      code: 'internal_error',
      detail: expect.not.stringMatching(/token/i),
    });
    expect(response.text).not.toMatch(/ya29\./);
    expect(api.google.countCalls(GMAIL)).toBe(0);
    await (await api.signIn('grace@example.com')).get('/api/v1/emails').expect(200);
  });

  test('are still read after a key rotation, and written under the new key from then on', async () => {
    const newKey = Buffer.alloc(32, 7);
    const rotated = await api.startReplica({
      TOKEN_ENCRYPTION_KEY: newKey.toString('base64'),
      TOKEN_ENCRYPTION_KEY_PREVIOUS: api.env.TOKEN_ENCRYPTION_KEY,
    });
    const elsewhere = createClient(rotated.url, ada.token);
    const [oldKeyId] = (await readConnection()).encryptedAccessToken.split('.');

    await elsewhere.get('/api/v1/emails').expect(200);
    expect((await readConnection()).encryptedAccessToken.split('.')[0]).toBe(oldKeyId);

    await expireAccessToken();
    await elsewhere.get('/api/v1/emails').expect(200);
    expect((await readConnection()).encryptedAccessToken.split('.')[0]).not.toBe(oldKeyId);
  });
});

const expireAccessToken = () =>
  api.testDatabase.query(`UPDATE "ProviderConnection" SET "accessTokenExpiresAt" = now() - interval '1 h'`);

/** The text with another character at this place. */
const flip = (text: string, at: number): string =>
  text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);

const readConnection = async (userId = ada.userId) => {
  const [row] = await api.testDatabase.query<{ encryptedAccessToken: string; encryptedRefreshToken: string }>(
    'SELECT * FROM "ProviderConnection" WHERE "userId" = $1',
    [userId],
  );
  return row ?? { encryptedAccessToken: '', encryptedRefreshToken: '' };
};

let api: ApiHarness;
let ada: ApiClient;
beforeAll(async () => {
  api = await startApi({
    mail: { 'ada@example.com': [{ id: 'one' }] },
  });
});
beforeEach(async () => {
  ada = await api.signIn();
  api.google.heal();
});
afterAll(() => api.close());
