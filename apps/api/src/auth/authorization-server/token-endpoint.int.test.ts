import supertest from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, createProgram, startApi } from '../../testing/api-harness.ts';
import { createOAuthProgram, ISSUER } from '../../testing/oauth-program.ts';

describe('a code', () => {
  test.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['another redirect URI', { redirect_uri: 'http://127.0.0.1:1/callback' }, 'invalid_grant'],
    ['another client', { client_id: 'https://app.example/client.json' }, 'invalid_grant'],
    ['another resource', { resource: `${ISSUER}/mcp` }, 'invalid_target'],
    ['a resource of somebody else', { resource: 'https://evil.example/' }, 'invalid_target'],
    ['a property of every object', { resource: '__proto__' }, 'invalid_target'],
  ])('is worth nothing with %s, nor afterwards', async (_what, parameters, error) => {
    const program = createOAuthProgram(api.url);
    const code = await program.getCode(ada, { resource: `${ISSUER}/api/v1` });
    const { body } = await program.exchange(code, parameters).expect(400);
    expect(body).toEqual({ error, error_description: expect.any(String) });
    await program.exchange(code).expect(400);
    expect(await query('SELECT FROM "PersonalToken"')).toEqual([]);
  });

  test('ends after a minute', async () => {
    const program = createOAuthProgram(api.url);
    const code = await program.getCode(ada);
    const [row] = await query<{ left: number }>(
      `SELECT extract(epoch FROM "expiresAt" - now())::float8 AS left FROM "AuthorizationRequest"`,
    );
    expect(row?.left).toBeGreaterThan(50);
    expect(row?.left).toBeLessThanOrEqual(60);
    await query(`UPDATE "AuthorizationRequest" SET "expiresAt" = now()`);
    expect((await program.exchange(code).expect(400)).body.error).toBe('invalid_grant');
  });

  test('that comes again is refused, and the token that it gave ends', async () => {
    const program = createOAuthProgram(api.url);
    const code = await program.getCode(ada);
    const { body } = await program.exchange(code).expect(200);
    await withToken(body.access_token).expect(200);
    expect((await program.exchange(code, { code_verifier: 'x' }).expect(400)).body.error).toBe(
      'invalid_grant',
    );
    await withToken(body.access_token).expect(401);

    const { body: audit } = await ada.get('/api/v1/me/audit?perPage=1').expect(200);
    expect(audit.data).toMatchObject([{ event: 'token_revoked' }]);
    expect(api.logLines.join('')).toContain('"securityEvent":"code_reused"');
  });

  test('gives no token that lives, when it comes several times at once', async () => {
    const program = createOAuthProgram(api.url);
    const code = await program.getCode(ada);
    const responses = await Promise.all([1, 2, 3, 4].map(() => program.exchange(code)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
    expect(await query('SELECT FROM "PersonalToken"')).toEqual([]);
  });

  test('and its token are in no log, and in the database only as hashes', async () => {
    const program = createOAuthProgram(api.url);
    const code = await program.getCode(ada, { state: 'canary-state' });
    const { body } = await program.exchange(code).expect(200);
    await program.exchange(code, { code_verifier: 'canary-verifier' }).expect(400);
    await program.revoke(body.access_token).expect(200);
    const [row] = await query<{ text: string }>(`SELECT r::text AS text FROM "AuthorizationRequest" r`);
    for (const secret of [code, body.access_token, program.verifier]) {
      expect(api.logLines.join('')).not.toContain(secret);
      expect(row?.text).not.toContain(secret);
    }
    expect(api.logLines.join('')).not.toContain('canary');
  });
});

describe('a refresh token', () => {
  /** What a program gets that wants to renew its token. */
  const getTokens = async (program: ReturnType<typeof createOAuthProgram>) => {
    const code = await program.getCode(ada, { scope: 'act offline_access' });
    return (await program.exchange(code).expect(200)).body;
  };

  test('gives new tokens, and ends those before; the user sees one program', async () => {
    const program = createOAuthProgram(api.url);
    const first = await getTokens(program);
    expect(first).toEqual({
      access_token: expect.stringMatching(/^msw_/),
      refresh_token: expect.stringMatching(/^msr_/),
      token_type: 'Bearer',
      expires_in: 3_600,
      scope: 'act',
    });
    const { body: next } = await program.renew(first.refresh_token, { scope: 'read' }).expect(200);
    expect(Object.keys(next).toSorted()).toEqual(Object.keys(first).toSorted());
    expect([next.scope, next.expires_in]).toEqual(['act', 3_600]);
    await withToken(first.access_token).expect(401);
    await withToken(next.access_token).expect(200);
    const { body: tokens } = await ada.get('/api/v1/me/tokens').expect(200);
    expect(tokens.data).toMatchObject([{ renews: true, scope: 'act' }]);
    await withToken(next.refresh_token).expect(401);
    await program.renew(next.access_token).expect(400);

    const [row] = await query<{ text: string }>(`SELECT r::text AS text FROM "PersonalToken" r`);
    for (const secret of [first.refresh_token, next.refresh_token]) {
      expect(api.logLines.join('')).not.toContain(secret);
      expect(row?.text).not.toContain(secret);
    }
  });

  test('lasts as long as the user allowed after each renewal, and for a year at most', async () => {
    const program = createOAuthProgram(api.url);
    let { refresh_token, access_token } = await getTokens(program);
    const renew = async () => {
      ({ refresh_token, access_token } = (await program.renew(refresh_token).expect(200)).body);
      const [row] = await query<{ days: number }>(
        `SELECT extract(epoch FROM "expiresAt" - now())::float8 / 86400 AS days FROM "PersonalToken"`,
      );
      return row?.days;
    };
    await query(
      `UPDATE "PersonalToken" SET "accessExpiresAt" = now(), "expiresAt" = now() + interval '1 day'`,
    );
    await withToken(access_token).expect(401);
    expect(await renew()).toBeCloseTo(30, 2);
    await withToken(access_token).expect(200);
    await query(`UPDATE "PersonalToken" SET "createdAt" = now() - interval '360 days'`);
    expect(await renew()).toBeCloseTo(5, 2);
    await query(`UPDATE "PersonalToken" SET "expiresAt" = now()`);
    expect((await program.renew(refresh_token).expect(400)).body.error).toBe('invalid_grant');
  });

  test('that comes again ends the tokens after it', async () => {
    const program = createOAuthProgram(api.url);
    const first = await getTokens(program);
    const { body: second } = await program.renew(first.refresh_token).expect(200);
    const { body: third } = await program.renew(second.refresh_token).expect(200);
    expect((await program.renew(first.refresh_token).expect(400)).body.error).toBe('invalid_grant');
    await withToken(third.access_token).expect(401);
    await program.renew(third.refresh_token).expect(400);
    const { body: audit } = await ada.get('/api/v1/me/audit?perPage=1').expect(200);
    expect(audit.data).toMatchObject([{ event: 'token_revoked' }]);
    expect(api.logLines.join('')).toContain('"securityEvent":"refresh_token_reused"');
  });

  test('gives tokens once, when it comes several times at once', async () => {
    const program = createOAuthProgram(api.url);
    const { refresh_token } = await getTokens(program);
    const responses = await Promise.all([1, 2, 3].map(() => program.renew(refresh_token)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
    expect(await query('SELECT FROM "PersonalToken"')).toEqual([]);
  });

  test.each([
    ['another client', { client_id: 'https://app.example/client.json' }, 'invalid_grant'],
    ['another resource', { resource: `${ISSUER}/mcp` }, 'invalid_target'],
    ['more scope', { scope: 'admin' }, 'invalid_scope'],
    ['an unknown scope', { scope: 'erase' }, 'invalid_scope'],
  ])('is worth nothing with %s, and stays valid', async (_what, parameters, error) => {
    const program = createOAuthProgram(api.url);
    const { refresh_token } = await getTokens(program);
    const { body } = await program.renew(refresh_token, parameters).expect(400);
    expect(body).toEqual({ error, error_description: expect.any(String) });
    await program.renew(refresh_token).expect(200);
  });

  test.each([
    ['revokes it', (program: ReturnType<typeof createOAuthProgram>, token: string) => program.revoke(token)],
    ['signs out everywhere', () => ada.post('/auth/logout-everywhere')],
    [
      'deletes it in the settings',
      async () => {
        const { body } = await ada.get('/api/v1/me/tokens').expect(200);
        return ada.delete(`/api/v1/me/tokens/${body.data[0].id}`);
      },
    ],
    ['has everything erased', () => ada.delete('/api/v1/me', { confirm: 'ada@example.com' })],
  ])('ends with its access token when somebody %s', async (_how, end) => {
    const program = createOAuthProgram(api.url);
    const { refresh_token } = await getTokens(program);
    const { body: newest } = await program.renew(refresh_token).expect(200);
    expect((await end(program, newest.refresh_token)).ok).toBe(true);
    await withToken(newest.access_token).expect(401);
    expect((await program.renew(newest.refresh_token).expect(400)).body.error).toBe('invalid_grant');
  });

  test('is never renewed past a sign-out everywhere that comes at the same time', async () => {
    const program = createOAuthProgram(api.url);
    const { refresh_token } = await getTokens(program);
    const [renewed] = await Promise.all([
      program.renew(refresh_token),
      ada.post('/auth/logout-everywhere').expect(204),
    ]);
    expect([200, 400]).toContain(renewed.status);
    await program.renew(renewed.body.refresh_token ?? refresh_token).expect(400);
    expect(await query('SELECT FROM "PersonalToken"')).toEqual([]);
  });
});

describe('the token endpoint', () => {
  test('counts requests by what they exchange, so that users of one server do not share a limit', async () => {
    const { url } = await api.startReplica({ AUTH_RATE_LIMIT_PER_MINUTE: '2' });
    const program = createOAuthProgram(url);
    const errors = [];
    for (const code of ['a', 'a', 'b', 'a', 'b']) errors.push((await program.exchange(code)).body.error);
    const refused = 'invalid_grant';
    expect(errors).toEqual([refused, refused, refused, 'temporarily_unavailable', refused]);
    // Those that fail count by address, too.
    for (let count = 0; count < 20; count += 1) errors.push((await program.exchange(`c${count}`)).body.error);
    expect(errors.at(-1)).toBe('temporarily_unavailable');
  });

  const post = () => supertest(api.url).post('/oauth/token');

  test.each([
    ['a missing grant type', { grant_type: undefined }, 400, 'invalid_request'],
    ['another grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['a missing refresh token', { grant_type: 'refresh_token' }, 400, 'invalid_request'],
    ['a missing code', { code: undefined }, 400, 'invalid_request'],
    ['a missing client', { client_id: undefined }, 400, 'invalid_request'],
    ['a missing redirect URI', { redirect_uri: undefined }, 400, 'invalid_request'],
    ['a missing verifier', { code_verifier: undefined }, 400, 'invalid_request'],
    ['a secret of the client', { client_secret: 'secret' }, 401, 'invalid_client'],
    ['an unknown code', {}, 400, 'invalid_grant'],
  ])('refuses %s', async (_what, parameters, status, error) => {
    const response = await createOAuthProgram(api.url).exchange('code', parameters).expect(status);
    expect(response.body).toEqual({ error, error_description: expect.any(String) });
    expect(response.headers['cache-control']).toBe('no-store');
  });

  test('takes only a form, with each parameter once, and no credentials', async () => {
    expect((await post().send({ grant_type: 'x' }).expect(400)).body.error).toBe('invalid_request');
    expect((await post().expect(400)).body.error).toBe('invalid_request');
    const twice = await post().type('form').send('grant_type=a&grant_type=b').expect(400);
    expect(twice.body.error_description).toBe('A parameter occurs twice.');
    const large = await post()
      .type('form')
      .send(`code=${'x'.repeat(20_000)}`)
      .expect(413);
    expect(large.body.error).toBe('invalid_request');
    const basic = await post().type('form').auth('client', 'secret').send('grant_type=a').expect(401);
    expect(basic.body.error).toBe('invalid_client');
  });
});

describe('the revocation endpoint', () => {
  test('ends a token of the client that asks, and says nothing of unknown ones', async () => {
    const program = createOAuthProgram(api.url);
    const token = await program.getToken(ada);
    await program.revoke(token).expect(200);
    await withToken(token).expect(401);
    const { body } = await ada.get('/api/v1/me/audit?perPage=1').expect(200);
    expect(body.data).toMatchObject([{ event: 'token_revoked', tokenId: expect.any(String) }]);

    for (const unknown of [token, 'msw_nothing', 'x']) await program.revoke(unknown).expect(200);
    expect((await program.revoke('').expect(400)).body.error).toBe('invalid_request');
  });

  test('ends no token of others: of another client, or made by the user', async () => {
    const token = await createOAuthProgram(api.url).getToken(ada);
    const other = { client_id: 'https://app.example/client.json' };
    const refused = await createOAuthProgram(api.url).revoke(token, other).expect(400);
    expect(refused.body.error).toBe('unauthorized_client');
    const made = await createProgram(api.url, ada, 'read');
    await createOAuthProgram(api.url).revoke(made.secret).expect(400);
    for (const live of [token, made.secret]) await withToken(live).expect(200);
  });
});

const withToken = (token: string) => supertest(api.url).get('/api/v1/me').auth(token, { type: 'bearer' });

const query = <Row extends object>(text: string) =>
  api.testDatabase.query<Row & Record<string, unknown>>(text);

let api: ApiHarness;
let ada: ApiClient;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  await query('DELETE FROM "PersonalToken"');
  await query('DELETE FROM "AuthorizationRequest"');
  ada = await api.signIn();
});
afterAll(() => api.close());
