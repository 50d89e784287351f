import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { allowsMail, createOidcProvider, type OidcError } from './oidc-provider.ts';

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

/** Answers each call of the token endpoint with the next of these, and counts the calls. */
const answerTokenCalls = (...answers: (() => Response)[]) => {
  const calls: URLSearchParams[] = [];
  provider.use(
    http.post(TOKEN_ENDPOINT, async ({ request }) => {
      calls.push(new URLSearchParams(await request.text()));
      return answers[calls.length - 1]?.() ?? HttpResponse.error();
    }),
  );
  return calls;
};

const freshTokens = () =>
  HttpResponse.json({ access_token: 'fresh', token_type: 'Bearer', expires_in: 3600, scope: 'openid' });

describe('beginning a login', () => {
  test('sends the browser off with PKCE S256, state, nonce and offline access', async () => {
    const { url, secrets } = await createProvider().beginLogin();

    expect(url.origin + url.pathname).toBe(`${ISSUER}/authorize`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      state: secrets.state,
      nonce: secrets.nonce,
      access_type: 'offline',
      scope: 'openid email profile https://www.googleapis.com/auth/gmail.modify',
    });
    expect(url.searchParams.get('code_challenge')).not.toBe(secrets.codeVerifier);
  });

  test('discovers the provider again after it was away', async () => {
    provider.use(
      http.get(`${ISSUER}/.well-known/openid-configuration`, () => HttpResponse.error(), { once: true }),
    );
    const oidcProvider = createProvider();

    expect((await faultOf(oidcProvider.beginLogin())).code).toBe('provider_unavailable');
    expect((await oidcProvider.beginLogin()).url.origin).toBe(ISSUER);
  });
});

describe('refreshing', () => {
  test('a refused grant is final: the provider is asked once', async () => {
    const calls = answerTokenCalls(() => HttpResponse.json({ error: 'invalid_grant' }, { status: 400 }));

    expect((await faultOf(createProvider().refresh('old'))).code).toBe('invalid_grant');
    expect(calls).toHaveLength(1);
  });

  test.each([
    ['a broken connection', () => HttpResponse.error()],
    ['a 503', () => new HttpResponse(null, { status: 503 })],
    ['a 429', () => new HttpResponse(null, { status: 429 })],
  ])('%s is tried again, with the same refresh token', async (_name, fault) => {
    const calls = answerTokenCalls(fault, freshTokens);

    const tokens = await createProvider().refresh('old');

    expect(tokens).toMatchObject({ accessToken: 'fresh', refreshToken: undefined, scope: 'openid' });
    expect(calls.map((call) => call.get('refresh_token'))).toEqual(['old', 'old']);
  });

  test('a provider that stays away is given up after three attempts', async () => {
    const calls = answerTokenCalls();

    expect((await faultOf(createProvider().refresh('old'))).code).toBe('provider_unavailable');
    expect(calls).toHaveLength(3);
  });

  test('an answer that is no token answer is the provider’s error', async () => {
    answerTokenCalls(() => HttpResponse.html('<p>Hello</p>'));

    expect((await faultOf(createProvider().refresh('old'))).code).toBe('provider_error');
  });
});

describe('the scopes granted', () => {
  test.each([
    ['openid email https://www.googleapis.com/auth/gmail.modify', true],
    ['https://mail.google.com/ openid', true],
    ['openid email profile', false],
    ['https://www.googleapis.com/auth/gmail.modify.extra', false],
    ['', false],
  ])('%j allows mail: %s', (scope, allowed) => {
    expect(allowsMail(scope)).toBe(allowed);
  });
});

const provider = setupServer(
  http.get(`${ISSUER}/.well-known/openid-configuration`, () => HttpResponse.json(metadata)),
);
beforeAll(() => provider.listen({ onUnhandledFrame: 'error' }));
afterEach(() => provider.resetHandlers());
afterAll(() => provider.close());
