import { randomUUID } from 'node:crypto';
import { AuthorizationRequestSchema } from '@mailsweep/contracts';
import supertest from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, FRONTEND_ORIGIN, startApi } from '../../testing/api-harness.ts';
import { createOAuthProgram, ISSUER, LOOPBACK } from '../../testing/oauth-program.ts';

const ADA = 'ada@example.com';

describe('a program that a user allows', () => {
  test('gets a token with its name, scope and end, which the user sees and the audit trail has', async () => {
    const program = createOAuthProgram(api.url);
    const path = await program.ask(ada, { scope: 'act', resource: `${ISSUER}/api/v1` });
    const { body: shown } = await ada.get(path).expect(200);
    expect(AuthorizationRequestSchema.parse(shown)).toEqual(shown);
    expect(shown).toMatchObject({
      client: { name: 'Mailsweep on the command line', host: null },
      redirectHost: null,
      scope: 'act',
      audience: 'api',
    });

    const { body: allowed } = await ada.post(`${path}/allow`, { expiresInDays: 7 }).expect(200);
    const redirect = new URL(allowed.redirectTo);
    expect(`${redirect.origin}${redirect.pathname}`).toBe(LOOPBACK);
    expect(Object.fromEntries(redirect.searchParams)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: 'state-1',
      iss: ISSUER,
    });
    const response = await program.exchange(redirect.searchParams.get('code') ?? '').expect(200);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.body).toEqual({
      access_token: expect.stringMatching(/^msw_/),
      token_type: 'Bearer',
      expires_in: 7 * 86_400,
      scope: 'act',
    });

    const me = await withToken(response.body.access_token).expect(200);
    expect(me.body).toMatchObject({ email: ADA, token: { scope: 'act' } });
    const { body: tokens } = await ada.get('/api/v1/me/tokens').expect(200);
    expect(tokens.data).toMatchObject([
      { name: 'Mailsweep on the command line', scope: 'act', audience: 'api', clientId: 'mailsweep-cli' },
    ]);
    const { body: audit } = await ada.get('/api/v1/me/audit?perPage=1').expect(200);
    expect(audit.data).toMatchObject([
      {
        event: 'token_created',
        sessionId: expect.any(String),
        details: { changedTokenId: me.body.token.id, clientId: 'mailsweep-cli', scope: 'act' },
      },
    ]);
    await ada.delete(`/api/v1/me/tokens/${me.body.token.id}`).expect(204);
    await withToken(response.body.access_token).expect(401);
  });

  test('may read for 30 days where it names no scope and the user no time', async () => {
    const program = createOAuthProgram(api.url);
    const { body } = await program.exchange(await program.getCode(ada)).expect(200);
    expect(body).toMatchObject({ scope: 'read', expires_in: 30 * 86_400 });
  });

  test.each([true, false])('asks before it changes anything where the user wants that: %s', async (asks) => {
    const program = createOAuthProgram(api.url);
    const path = await program.ask(ada, { scope: 'act' });
    const body = asks ? {} : { requiresConfirmation: false };
    const { redirectTo } = (await ada.post(`${path}/allow`, body).expect(200)).body;
    await program.exchange(new URL(redirectTo).searchParams.get('code') ?? '').expect(200);
    const { body: tokens } = await ada.get('/api/v1/me/tokens').expect(200);
    expect(tokens.data).toMatchObject([{ requiresConfirmation: asks }]);
  });

  test('gets the highest of the scopes that it names', async () => {
    const program = createOAuthProgram(api.url);
    const code = await program.getCode(ada, { scope: 'act read' });
    expect((await program.exchange(code).expect(200)).body.scope).toBe('act');
  });

  test('loses its token when the user signs out everywhere', async () => {
    const token = await createOAuthProgram(api.url).getToken(ada);
    await ada.post('/auth/logout-everywhere').expect(204);
    await withToken(token).expect(401);
  });
});

describe('the user', () => {
  test('can refuse, and the program learns of it', async () => {
    const program = createOAuthProgram(api.url);
    const path = await program.ask(ada);
    const { body } = await ada.post(`${path}/deny`).expect(200);
    expect(Object.fromEntries(new URL(body.redirectTo).searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'state-1',
      iss: ISSUER,
    });
    await ada.post(`${path}/allow`, {}).expect(404);
  });

  test('decides once, also by two requests at the same time', async () => {
    const path = await createOAuthProgram(api.url).ask(ada);
    const statuses = await Promise.all(
      ['allow', 'allow', 'deny'].map((decision) =>
        ada.post(`${path}/${decision}`, {}).then(({ status }) => status),
      ),
    );
    expect(statuses.toSorted()).toEqual([200, 404, 404]);
    await ada.get(path).expect(404);
  });

  test('decides on nothing that was shown to another, nor on what was never shown', async () => {
    const grace = await api.signIn('grace@example.com');
    const program = createOAuthProgram(api.url);
    const path = await program.ask(ada);
    for (const step of ['/allow', '/deny']) await grace.post(`${path}${step}`, {}).expect(404);
    await grace.get(path).expect(404);
    const id = (await program.open()).searchParams.get('request');
    await ada.post(`/api/v1/me/authorizations/${id}/allow`, {}).expect(404);
    await ada.post(`${path}/allow`, {}).expect(200);
  });

  test('needs a recent sign-in to allow, as for making a token', async () => {
    const path = await createOAuthProgram(api.url).ask(ada);
    await query(`UPDATE "Session" SET "createdAt" = now() - interval '11 minutes'`);
    const { body } = await ada.post(`${path}/allow`, {}).expect(401);
    expect(body.code).toBe('recent_sign_in_required');
    await ada.post(`${path}/deny`).expect(200);
  });

  test('is asked for ten minutes', async () => {
    const path = await createOAuthProgram(api.url).ask(ada);
    await query(`UPDATE "AuthorizationRequest" SET "expiresAt" = "expiresAt" - interval '10 minutes'`);
    await ada.post(`${path}/allow`, {}).expect(404);
    await ada.get(path).expect(404);
  });

  test('is told where they have as many tokens as they may, and can allow it later', async () => {
    const program = createOAuthProgram(api.url);
    const [path, code] = [await program.ask(ada), await program.getCode(ada)];
    const fill = () =>
      query(
        `INSERT INTO "PersonalToken" ("id", "userId", "hash", "name", "scope", "expiresAt")
         SELECT gen_random_uuid(), $1, uuid_send(gen_random_uuid()), 'x', 'read', now() + interval '1 day'
         FROM generate_series(1, 20)`,
        [ada.userId],
      );
    await fill();
    await ada.post(`/api/v1/me/authorizations/${randomUUID()}/allow`, {}).expect(404);
    expect((await ada.post(`${path}/allow`, {}).expect(409)).body.code).toBe('too_many_tokens');
    await query(`DELETE FROM "PersonalToken" WHERE "name" = 'x'`);
    await ada.post(`${path}/allow`, {}).expect(200);
    await fill();
    expect((await program.exchange(code).expect(400)).body.error).toBe('invalid_grant');
  });

  test('does not allow by a request of another site, nor a program by its token', async () => {
    const path = `${await createOAuthProgram(api.url).ask(ada)}/allow`;
    const { body } = await ada.post(path, {}).set('origin', 'https://evil.example').expect(403);
    expect(body.code).toBe('cross_site_request');
    await supertest(api.url)
      .post(path)
      .set('cookie', ada.cookie)
      .type('form')
      .send('expiresInDays=30')
      .expect(415);
    const token = await createOAuthProgram(api.url).getToken(ada, { scope: 'admin' });
    await supertest(api.url).post(path).auth(token, { type: 'bearer' }).send({}).expect(403);
  });
});

describe('the authorization endpoint', () => {
  const page = (error: string) => `${FRONTEND_ORIGIN}/authorize?error=${error}`;

  test.each([
    ['no client', { client_id: undefined }, 'unknown_client'],
    ['a client that nobody knows', { client_id: 'somebody' }, 'unknown_client'],
    ['a client without https', { client_id: 'http://app.example/client.json' }, 'unknown_client'],
    ['no redirect URI', { redirect_uri: undefined }, 'unknown_redirect'],
    ['another path', { redirect_uri: 'http://127.0.0.1:49152/other' }, 'unknown_redirect'],
    ['another host', { redirect_uri: 'https://evil.example/callback' }, 'unknown_redirect'],
    ['another name of this machine', { redirect_uri: 'http://localhost:49152/callback' }, 'unknown_redirect'],
    [
      'a host that looks like it',
      { redirect_uri: 'http://127.0.0.1.evil.example/callback' },
      'unknown_redirect',
    ],
    ['a user in the URI', { redirect_uri: 'http://127.0.0.1@evil.example/callback' }, 'unknown_redirect'],
    ['a fragment', { redirect_uri: `${LOOPBACK}#x` }, 'unknown_redirect'],
    ['a query', { redirect_uri: `${LOOPBACK}?x=1` }, 'unknown_redirect'],
    ['a script', { redirect_uri: 'javascript:alert(1)' }, 'unknown_redirect'],
  ])('shows an error page for %s, and sends nobody elsewhere', async (_what, parameters, error) => {
    const location = await createOAuthProgram(api.url).open(parameters);
    expect(location.href.replace('&reason=invalid_id', '')).toBe(page(error));
    expect(await query('SELECT FROM "AuthorizationRequest"')).toEqual([]);
  });

  test('takes neither a client nor a redirect URI that is named twice', async () => {
    const twice = async (name: string, value: string) => {
      const page = await createOAuthProgram(`${api.url}`).open({ [name]: undefined });
      expect(page.searchParams.get('error')).not.toBeNull();
      const query = `client_id=mailsweep-cli&redirect_uri=${encodeURIComponent(LOOPBACK)}&${name}=${encodeURIComponent(value)}`;
      return (await supertest(api.url).get(`/oauth/authorize?${query}`)).headers.location;
    };
    expect(await twice('client_id', 'mailsweep-cli')).toBe(`${page('unknown_client')}&reason=invalid_id`);
    expect(await twice('redirect_uri', 'https://evil.example')).toBe(page('unknown_redirect'));
  });

  test.each([
    ['no state', { state: undefined }, 'invalid_request'],
    ['a state that is not printable', { state: 'a\u0000b' }, 'invalid_request'],
    ['a state without end', { state: 'x'.repeat(1_025) }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['no response type', { response_type: undefined }, 'unsupported_response_type'],
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a challenge that is no hash', { code_challenge: 'plain' }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no method', { code_challenge_method: undefined }, 'invalid_request'],
    ['an unknown scope', { scope: 'read erase' }, 'invalid_scope'],
    ['an unknown resource', { resource: 'https://evil.example/' }, 'invalid_target'],
    ['the bare origin', { resource: ISSUER }, 'invalid_target'],
    ['a resource with a query', { resource: `${ISSUER}/mcp?x` }, 'invalid_target'],
    // Every object has these properties.
    ['a resource of every object', { resource: 'constructor' }, 'invalid_target'],
    ['a prototype as resource', { resource: '__proto__' }, 'invalid_target'],
  ])('tells a program on this computer of %s', async (_what, parameters, error) => {
    const location = await createOAuthProgram(api.url).open(parameters);
    expect(`${location.origin}${location.pathname}`).toBe(LOOPBACK);
    const { state, ...told } = Object.fromEntries(location.searchParams);
    expect(told).toEqual({ error, error_description: expect.any(String), iss: ISSUER });
    expect(state).toBe('state' in parameters ? undefined : 'state-1');
    expect(await query('SELECT FROM "AuthorizationRequest"')).toEqual([]);
  });

  test('takes any port of this computer, and no more requests of an address than sign-ins', async () => {
    const program = createOAuthProgram(api.url, { redirect_uri: 'http://127.0.0.1:1/callback' });
    expect((await program.open()).searchParams.has('request')).toBe(true);

    const { url } = await api.startReplica({ AUTH_RATE_LIMIT_PER_MINUTE: '2' });
    const limited = createOAuthProgram(url);
    await limited.open();
    await limited.open();
    await expect(limited.open()).rejects.toThrow('429');
  });

  test('describes itself', async () => {
    const { body } = await supertest(api.url).get('/.well-known/oauth-authorization-server').expect(200);
    expect(body).toMatchObject({
      issuer: ISSUER,
      token_endpoint: `${ISSUER}/oauth/token`,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
  });
});

describe('what a token is for', () => {
  test.each([
    ['as it is', `${ISSUER}/mcp`],
    ['with a slash', `${ISSUER}/mcp/`],
    ['with other cases', `${ISSUER.replace('http', 'HTTP').replace('localhost', 'LocalHost')}/mcp`],
  ])(
    'decides where it is taken: a token for MCP, named %s, is not one for the API',
    async (_how, resource) => {
      const program = createOAuthProgram(api.url);
      const token = await program.getToken(ada, { resource });
      const refused = await withToken(token).expect(401);
      expect(refused.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
      expect(refused.body.detail).toContain('given for the MCP endpoint alone');
      const { body } = await ada.get('/api/v1/me/tokens').expect(200);
      expect(body.data).toMatchObject([{ audience: 'mcp' }]);
    },
  );
});

const withToken = (token: string) => supertest(api.url).get('/api/v1/me').auth(token, { type: 'bearer' });

const query = (text: string, values: unknown[] = []) => api.testDatabase.query(text, values);

let api: ApiHarness;
let ada: ApiClient;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  await query('DELETE FROM "PersonalToken"');
  await query('DELETE FROM "AuthorizationRequest"');
  ada = await api.signIn(ADA);
});
afterAll(() => api.close());
