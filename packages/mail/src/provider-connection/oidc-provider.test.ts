import { createHash } from 'node:crypto';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { OidcError } from './oidc-error.ts';
import { createOidcProvider, toMailAccess } from './oidc-provider.ts';

const SELECT_ACCOUNT = { prompt: 'select_account' } as const;
const ISSUER = 'https://id.example';
const TOKEN_ENDPOINT = `${ISSUER}/token`;

const metadata = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: TOKEN_ENDPOINT,
  jwks_uri: `${ISSUER}/keys`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
};

const createProvider = () =>
  createOidcProvider({
    issuer: ISSUER,
    clientId: 'client',
    clientSecret: 'secret',
    redirectUri: 'https://api.example/auth/idp/callback',
  });

const faultOf = (work: Promise<unknown>): Promise<OidcError> =>
  work.then(
    () => expect.fail('it succeeded'),
    (error: OidcError) => error,
  );

/** Responds to each call of the token endpoint with the next of these, and counts the calls. */
const respondToTokenCalls = (...responses: (() => Response)[]) => {
  const calls: URLSearchParams[] = [];
  provider.use(
    http.post(TOKEN_ENDPOINT, async ({ request }) => {
      calls.push(new URLSearchParams(await request.text()));
      return responses[calls.length - 1]?.() ?? HttpResponse.error();
    }),
  );
  return calls;
};

const freshTokens = () =>
  HttpResponse.json({ access_token: 'fresh', token_type: 'Bearer', expires_in: 3600, scope: 'openid' });

describe('beginning a login', () => {
  test('sends the browser off with PKCE S256, state, nonce and offline access', async () => {
    const { url, secrets } = await createProvider().beginLogin(SELECT_ACCOUNT);

    expect(url.origin + url.pathname).toBe(`${ISSUER}/authorize`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      state: secrets.state,
      nonce: secrets.nonce,
      access_type: 'offline',
      scope: 'openid email profile https://www.googleapis.com/auth/gmail.modify',
    });
    expect(url.searchParams.get('prompt')).toBe('select_account');
    expect(url.searchParams.has('login_hint')).toBe(false);
    expect(url.searchParams.get('redirect_uri')).toBe('https://api.example/auth/idp/callback');
    expect(url.searchParams.get('code_challenge')).toBe(
      createHash('sha256').update(secrets.codeVerifier).digest('base64url'),
    );
  });

  test('asks for consent and names the account when requested', async () => {
    const { url } = await createProvider().beginLogin({ prompt: 'consent', loginHint: 'ada@example.com' });

    expect(url.searchParams.get('prompt')).toBe('consent');
    expect(url.searchParams.get('login_hint')).toBe('ada@example.com');
  });

  test('asks for reading alone when requested', async () => {
    const { url } = await createProvider().beginLogin({ prompt: 'consent', isReadOnly: true });

    expect(url.searchParams.get('scope')).toBe(
      'openid email profile https://www.googleapis.com/auth/gmail.readonly',
    );
  });

  test('discovers the provider again after it was away', async () => {
    provider.use(
      http.get(`${ISSUER}/.well-known/openid-configuration`, () => HttpResponse.error(), { once: true }),
    );
    const oidcProvider = createProvider();

    expect((await faultOf(oidcProvider.beginLogin(SELECT_ACCOUNT))).code).toBe('provider_unavailable');
    expect((await oidcProvider.beginLogin(SELECT_ACCOUNT)).url.origin).toBe(ISSUER);
  });
});

describe('refreshing', () => {
  test('a refused grant is final: the provider is asked once', async () => {
    const calls = respondToTokenCalls(() => HttpResponse.json({ error: 'invalid_grant' }, { status: 400 }));

    expect((await faultOf(createProvider().refresh('old'))).code).toBe('invalid_grant');
    expect(calls).toHaveLength(1);
  });

  test.each([
    ['a broken connection', () => HttpResponse.error()],
    ['a 503', () => new HttpResponse(null, { status: 503 })],
    ['a 429', () => new HttpResponse(null, { status: 429 })],
    ['a 429 that says why', () => HttpResponse.json({ error: 'rate_limit_exceeded' }, { status: 429 })],
  ])('%s is retried, with the same refresh token', async (_name, fault) => {
    const calls = respondToTokenCalls(fault, freshTokens);

    const tokens = await createProvider().refresh('old');

    expect(tokens).toMatchObject({ accessToken: 'fresh', refreshToken: undefined, scope: 'openid' });
    expect(calls.map((call) => call.get('refresh_token'))).toEqual(['old', 'old']);
  });

  test('a provider that stays away is given up after three attempts', async () => {
    const calls = respondToTokenCalls();

    expect((await faultOf(createProvider().refresh('old'))).code).toBe('provider_unavailable');
    expect(calls).toHaveLength(3);
  });

  test('a provider that lets us wait is tried again after four seconds', async () => {
    respondToTokenCalls(freshTokens);
    const oidcProvider = createProvider();
    await oidcProvider.beginLogin(SELECT_ACCOUNT);
    const isOver = AbortSignal.abort(new DOMException('four seconds are over', 'TimeoutError'));
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(isOver);

    expect((await oidcProvider.refresh('old')).accessToken).toBe('fresh');
    expect(timeout.mock.calls).toEqual([[4_000], [4_000]]);
  });

  test('a response that is no token response is the provider’s error', async () => {
    respondToTokenCalls(() => HttpResponse.html('<p>Hello</p>'));

    expect((await faultOf(createProvider().refresh('old'))).code).toBe('provider_error');
  });
});

describe('what a token response leaves out', () => {
  test('an hour is taken for its life, and its scopes are as before', async () => {
    respondToTokenCalls(() => HttpResponse.json({ access_token: 'fresh', token_type: 'Bearer' }));
    const before = Date.now();

    const tokens = await createProvider().refresh('old');

    expect(tokens.scope).toBeUndefined();
    expect(tokens.accessTokenExpiresAt.getTime()).toBeGreaterThanOrEqual(before + 3_600_000);
    expect(tokens.accessTokenExpiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 3_600_000);
  });

  test('what it says goes before that', async () => {
    respondToTokenCalls(() =>
      HttpResponse.json({
        access_token: 'fresh',
        token_type: 'Bearer',
        expires_in: 60,
        refresh_token: 'new',
      }),
    );

    const tokens = await createProvider().refresh('old');

    expect(tokens.refreshToken).toBe('new');
    expect(tokens.accessTokenExpiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 60_000);
  });
});

describe('errors of the provider', () => {
  test.each([
    ['its own, as JSON', 500, { error: 'server_error' }, 'provider_unavailable', 3],
    ['its own, as the last of its kind', 599, { error: 'server_error' }, 'provider_unavailable', 3],
    ['ours, as JSON', 400, { error: 'invalid_request' }, 'provider_error', 1],
    ['a client that does not exist', 401, { error: 'invalid_client' }, 'provider_configuration', 1],
    ['a client that was deleted', 401, { error: 'deleted_client' }, 'provider_configuration', 1],
    ['a client that may not do this', 401, { error: 'unauthorized_client' }, 'provider_configuration', 1],
    ['a policy of the organization', 400, { error: 'admin_policy_enforced' }, 'domain_policy', 1],
    ['ours, without a word', 404, null, 'provider_error', 1],
  ])('%s', async (_name, status, body, code, attempts) => {
    const response = () =>
      body === null ? new HttpResponse(null, { status }) : HttpResponse.json(body, { status });
    const calls = respondToTokenCalls(response, response, response, response);

    expect(await faultOf(createProvider().refresh('old'))).toMatchObject({ name: 'OidcError', code });
    expect(calls).toHaveLength(attempts);
  });

  test('a challenge of the token endpoint is about the client', async () => {
    const headers = { 'www-authenticate': 'Basic realm="x"' };
    respondToTokenCalls(() => HttpResponse.json({ error: 'invalid_client' }, { status: 401, headers }));
    expect((await faultOf(createProvider().refresh('old'))).code).toBe('provider_configuration');
  });

  test('are known by name where the provider named them', async () => {
    respondToTokenCalls(() => HttpResponse.json({ error: 'invalid_client' }, { status: 400 }));
    expect((await faultOf(createProvider().refresh('old'))).message).toContain('invalid_client');
  });

  test('after an invalid response, the provider is discovered again at the next call', async () => {
    provider.use(
      http.get(`${ISSUER}/.well-known/openid-configuration`, () => HttpResponse.json({}), { once: true }),
    );
    const oidcProvider = createProvider();

    expect((await faultOf(oidcProvider.refresh('old'))).code).toBe('provider_error');
    respondToTokenCalls(freshTokens);
    expect((await oidcProvider.refresh('old')).accessToken).toBe('fresh');
  });

  test('the provider is discovered once for all calls', async () => {
    let discoveries = 0;
    provider.use(
      http.get(`${ISSUER}/.well-known/openid-configuration`, () => {
        discoveries += 1;
        return HttpResponse.json(metadata);
      }),
    );
    const oidcProvider = createProvider();
    await Promise.all([oidcProvider.beginLogin(SELECT_ACCOUNT), oidcProvider.beginLogin(SELECT_ACCOUNT)]);
    await oidcProvider.beginLogin(SELECT_ACCOUNT);
    expect(discoveries).toBe(1);
  });
});

test('plain http is for the machine itself alone', async () => {
  const createAt = (issuer: string) =>
    createOidcProvider({
      issuer,
      clientId: 'client',
      clientSecret: 'secret',
      redirectUri: 'https://a.example/',
    });
  for (const host of ['localhost:3999', '127.0.0.1:3999', '[::1]:3999']) {
    const issuer = `http://${host}`;
    provider.use(
      http.get(`${issuer}/.well-known/openid-configuration`, () =>
        HttpResponse.json({ ...metadata, issuer }),
      ),
    );
    expect((await createAt(issuer).beginLogin(SELECT_ACCOUNT)).url.origin).toBe(ISSUER);
  }
  let isAsked = false;
  provider.use(
    http.get('http://id.example/.well-known/openid-configuration', () => {
      isAsked = true;
      return HttpResponse.json({ ...metadata, issuer: 'http://id.example' });
    }),
  );
  expect((await faultOf(createAt('http://id.example').beginLogin(SELECT_ACCOUNT))).code).toBe(
    'provider_error',
  );
  expect(isAsked).toBe(false);
});

describe('giving a grant back', () => {
  const REVOCATION_ENDPOINT = `${ISSUER}/revoke`;

  const offerRevocation = (...responses: number[]) => {
    const tokens: (string | null)[] = [];
    provider.use(
      http.get(`${ISSUER}/.well-known/openid-configuration`, () =>
        HttpResponse.json({ ...metadata, revocation_endpoint: REVOCATION_ENDPOINT }),
      ),
      http.post(REVOCATION_ENDPOINT, async ({ request }) => {
        tokens.push(new URLSearchParams(await request.text()).get('token'));
        return new HttpResponse(null, { status: responses.shift() ?? 200 });
      }),
    );
    return tokens;
  };

  test('names the token', async () => {
    const tokens = offerRevocation();
    await createProvider().revoke('refresh-token');
    expect(tokens).toEqual(['refresh-token']);
  });

  test('is retried after a transient error', async () => {
    const tokens = offerRevocation(503);
    await createProvider().revoke('refresh-token');
    expect(tokens).toEqual(['refresh-token', 'refresh-token']);
  });

  test('fails when the provider refuses', async () => {
    offerRevocation(403);
    expect((await faultOf(createProvider().revoke('refresh-token'))).code).toBe('provider_error');
  });

  test('is done when the token is dead already', async () => {
    const tokens = offerRevocation();
    provider.use(
      http.post(REVOCATION_ENDPOINT, () => {
        tokens.push('refused');
        return HttpResponse.json({ error: 'invalid_token' }, { status: 400 });
      }),
    );
    await createProvider().revoke('refresh-token');
    expect(tokens).toEqual(['refused']);
  });

  test('does nothing where the provider has no way to', async () => {
    await expect(createProvider().revoke('refresh-token')).resolves.toBeUndefined();
  });
});

describe('the scopes granted', () => {
  test.each([
    ['openid email https://www.googleapis.com/auth/gmail.modify', 'change'],
    ['https://mail.google.com/ openid', 'change'],
    ['openid https://www.googleapis.com/auth/gmail.readonly', 'read'],
    ['openid email profile', undefined],
    ['https://www.googleapis.com/auth/gmail.modify.extra', undefined],
    ['', undefined],
  ])('%j give access to Gmail: %s', (scope, access) => {
    expect(toMailAccess(scope)).toBe(access);
  });
});

const provider = setupServer(
  http.get(`${ISSUER}/.well-known/openid-configuration`, () => HttpResponse.json(metadata)),
);
beforeAll(() => provider.listen({ onUnhandledFrame: 'error' }));
afterEach(() => {
  provider.resetHandlers();
  vi.restoreAllMocks();
});
afterAll(() => provider.close());
