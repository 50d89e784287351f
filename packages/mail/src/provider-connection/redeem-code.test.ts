import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createOidcProvider } from './oidc-provider.ts';

const ISSUER = 'https://id.example';
const SECRETS = { state: 'the-state', nonce: 'the-nonce', codeVerifier: 'v'.repeat(43) };

test('a code brings the tokens, and who the user is', async () => {
  response(tokensWith({ email: 'ada@example.com', name: 'Ada Lovelace' }));

  const { tokens, identity } = await redeem();

  expect(tokens).toMatchObject({ accessToken: 'fresh', refreshToken: 'lasting', scope: 'openid' });
  expect(identity).toEqual({ subject: 'ada', email: 'ada@example.com', name: 'Ada Lovelace' });
});

test.each([
  ['says no more', {}],
  ['says what is no text', { email: ['ada@example.com'], name: 1815 }],
])('of a user of whom the provider %s, only the subject is known', async (_name, claims) => {
  response(tokensWith(claims));

  expect((await redeem()).identity).toEqual({ subject: 'ada', email: '', name: null });
});

test('a code is sent with the verifier and the address it came to', async () => {
  const calls = response(tokensWith({}));
  await redeem();

  expect(calls.map((call) => Object.fromEntries(call))).toEqual([
    expect.objectContaining({
      grant_type: 'authorization_code',
      code: 'the-code',
      code_verifier: SECRETS.codeVerifier,
      redirect_uri: 'https://api.example/auth/idp/callback',
    }),
  ]);
});

test.each([
  ['ended less than a minute ago, by our clock', () => ({ exp: now() - 50 }), true],
  ['ended more than a minute ago', () => ({ exp: now() - 70 }), false],
  ['is for another client', () => ({ aud: 'another' }), false],
  ['is from another issuer', () => ({ iss: 'https://other.example' }), false],
  ['belongs to another sign-in', () => ({ nonce: 'another' }), false],
  ['belongs to no sign-in', () => ({ nonce: undefined }), false],
])('an ID token that %s', async (_name, claims, isGood) => {
  response(tokensWith(claims()));
  const identity = redeem().then((redeemed) => redeemed.identity?.subject);

  if (isGood) expect(await identity).toBe('ada');
  else await expect(identity).rejects.toMatchObject({ code: 'provider_error' });
});

test('a callback of another sign-in is not redeemed', async () => {
  const calls = response(tokensWith({}));

  await expect(redeem({ state: 'another' })).rejects.toMatchObject({ code: 'provider_error' });
  expect(calls).toEqual([]);
});

test('a response without an ID token is the provider’s error', async () => {
  response(() => HttpResponse.json(TOKENS));

  await expect(redeem()).rejects.toMatchObject({ code: 'provider_error' });
});

test('a code is tried once, even after a transient error', async () => {
  const calls = response(() => new HttpResponse(null, { status: 503 }));

  await expect(redeem()).rejects.toMatchObject({ code: 'provider_unavailable' });
  expect(calls).toHaveLength(1);
});

const redeem = (callback: { state?: string } = {}) =>
  createOidcProvider({
    issuer: ISSUER,
    clientId: 'client',
    clientSecret: 'secret',
    redirectUri: 'https://api.example/auth/idp/callback',
  }).redeemCode(new URLSearchParams({ state: SECRETS.state, code: 'the-code', ...callback }), SECRETS);

const TOKENS = { access_token: 'fresh', refresh_token: 'lasting', token_type: 'Bearer', scope: 'openid' };

/** A token response with an ID token. Its signature is not looked at: it came over TLS (OpenID Connect Core, 3.1.3.7). */
const tokensWith = (claims: Record<string, unknown>) => () => {
  const usual = {
    iss: ISSUER,
    aud: 'client',
    sub: 'ada',
    iat: now(),
    exp: now() + 300,
    nonce: SECRETS.nonce,
  };
  const parts = [{ alg: 'RS256' }, { ...usual, ...claims }].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return HttpResponse.json({ ...TOKENS, id_token: `${parts.join('.')}.c2lnbmF0dXJl` });
};

const now = () => Math.floor(Date.now() / 1_000);

/** Responds to every call of the token endpoint like this, and records the calls. */
const response = (toResponse: () => Response) => {
  const calls: URLSearchParams[] = [];
  provider.use(
    http.post(`${ISSUER}/token`, async ({ request }) => {
      calls.push(new URLSearchParams(await request.text()));
      return toResponse();
    }),
  );
  return calls;
};

const provider = setupServer(
  http.get(`${ISSUER}/.well-known/openid-configuration`, () =>
    HttpResponse.json({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/authorize`,
      token_endpoint: `${ISSUER}/token`,
      jwks_uri: `${ISSUER}/keys`,
      response_types_supported: ['code'],
    }),
  ),
);
beforeAll(() => provider.listen({ onUnhandledFrame: 'error' }));
afterEach(() => provider.resetHandlers());
afterAll(() => provider.close());
