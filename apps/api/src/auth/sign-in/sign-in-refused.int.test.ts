import { SignInErrorSchema } from '@mailsweep/contracts';
import { chooseAccount } from '@mailsweep/google-sandbox/testing/sign-in-pages';
import fc from 'fast-check';
import type supertest from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type ApiHarness, FRONTEND_ORIGIN, startApi } from '../../testing/api-harness.ts';
import { openBrowser } from '../../testing/browser.ts';

const LANDING = `${FRONTEND_ORIGIN}/auth/callback`;
const failureUrl = (code: string) => `${LANDING}?error=${code}`;

describe('R05: a callback with a bad state opens no session and asks the provider nothing', () => {
  test('when the state is missing', async () => {
    const browser = openBrowser(api.url);
    const callback = await comeBack(browser);
    callback.searchParams.delete('state');
    await expectRefusal(await browser.complete(callback), 'invalid_state');
    expect(tokenCalls()).toBe(0);
  });

  test.each(['made-up', ''])('when the state was made up: %j', async (state) => {
    const browser = openBrowser(api.url);
    const callback = await comeBack(browser);
    const [genuine = ''] = callback.searchParams.getAll('state');
    callback.searchParams.set('state', state);
    await expectRefusal(await browser.complete(callback), 'invalid_state');
    expect(tokenCalls()).toBe(0);

    // The sign-in in progress still works.
    callback.searchParams.set('state', genuine);
    expect((await browser.complete(callback)).headers.location).toBe(LANDING);
  });

  test('when the state occurs twice', async () => {
    const browser = openBrowser(api.url);
    const callback = await comeBack(browser);
    callback.searchParams.append('state', callback.searchParams.get('state') ?? '');
    await expectRefusal(await browser.complete(callback), 'invalid_state');
    expect(tokenCalls()).toBe(0);
  });

  test('when another browser began the sign-in', async () => {
    const victim = openBrowser(api.url);
    await victim.begin();
    const callback = await comeBack(openBrowser(api.url));
    await expectRefusal(await victim.complete(callback), 'invalid_state');
    expect(tokenCalls()).toBe(0);
  });

  test.each([undefined, 'x'])('when the browser’s login cookie is %j', async (cookie) => {
    const callback = await comeBack(openBrowser(api.url));
    const browser = openBrowser(api.url);
    if (cookie !== undefined) browser.cookies.set('login_binding', cookie);
    await expectRefusal(await browser.complete(callback), 'invalid_state');
    expect(tokenCalls()).toBe(0);
  });

  test('when the callback is replayed', async () => {
    const browser = openBrowser(api.url);
    const callback = await comeBack(browser);
    await browser.complete(callback);
    const callsBefore = tokenCalls();
    await expectRefusal(await browser.complete(callback), 'invalid_state');
    expect(tokenCalls()).toBe(callsBefore);
  });

  test('when it is raced against itself, only one of the two signs in', async () => {
    const browser = openBrowser(api.url);
    const callback = await comeBack(browser);
    const responses = await Promise.all([browser.complete(callback), browser.complete(callback)]);
    const locations = responses.map((response) => response.headers.location).toSorted();
    expect(locations).toEqual([LANDING, failureUrl('invalid_state')]);
  });

  test('when the user took longer than ten minutes', async () => {
    const browser = openBrowser(api.url);
    const callback = await comeBack(browser);
    await api.testDatabase.query(`UPDATE "PendingLogin" SET "expiresAt" = now() - interval '1 ms'`);
    await expectRefusal(await browser.complete(callback), 'login_expired');
    expect(tokenCalls()).toBe(0);
  });
});

describe('R05: a sign-in that fails at the provider opens no session', () => {
  test('when the user says no', async () => {
    const browser = openBrowser(api.url);
    const state = (await browser.begin()).searchParams.get('state');
    const response = await browser.get(`/auth/idp/callback?error=access_denied&state=${state}`);
    await expectRefusal(response, 'access_denied');
    expect(tokenCalls()).toBe(0);
  });

  test('when the provider reports an error of its own', async () => {
    const browser = openBrowser(api.url);
    const state = (await browser.begin()).searchParams.get('state');
    const response = await browser.get(`/auth/idp/callback?error=server_error&state=${state}`);
    await expectRefusal(response, 'provider_error');
  });

  test('when the ID token carries another nonce', async () => {
    const browser = openBrowser(api.url);
    const url = await browser.begin();
    url.searchParams.set('nonce', 'another-nonce');
    const callback = await chooseAccount(url.href, 'ada@example.com');
    await expectRefusal(await browser.complete(callback), 'provider_error');
  });

  test('when the nonce alone is another one', async () => {
    const browser = openBrowser(api.url);
    const callback = await comeBack(browser);
    await setNonce(callback, 'another');
    await expectRefusal(await browser.complete(callback), 'provider_error');
  });

  test('when the code belongs to another sign-in, even one with the same nonce', async () => {
    for (const isNonceStolen of [false, true]) {
      const [victim, thief] = [openBrowser(api.url), openBrowser(api.url)];
      const [stolen, callback] = [await comeBack(victim), await comeBack(thief)];
      callback.searchParams.set('code', stolen.searchParams.get('code') ?? '');
      // Then the code verifier alone tells them apart.
      if (isNonceStolen) await setNonce(callback, await readNonce(stolen));
      await expectRefusal(await thief.complete(callback), 'provider_error');
    }
  });

  test('when the response has no ID token', async () => {
    api.google.rewrite({ path: /token/, times: 1, change: ({ id_token: _, ...response }) => response });
    const browser = openBrowser(api.url);
    await expectRefusal(await browser.complete(await comeBack(browser)), 'provider_error');
  });

  test('when the code is unknown', async () => {
    const browser = openBrowser(api.url);
    const callback = await comeBack(browser);
    callback.searchParams.set('code', 'stolen');
    await expectRefusal(await browser.complete(callback), 'provider_error');
  });

  test('when the user did not grant access to Gmail', async () => {
    const browser = openBrowser(api.url);
    const url = await browser.begin();
    url.searchParams.set('scope', 'openid email profile');
    const callback = await chooseAccount(url.href, 'grace@example.com');
    await expectRefusal(await browser.complete(callback), 'missing_scope');
    expect(await api.testDatabase.query(`SELECT FROM "User" WHERE "email" = 'grace@example.com'`)).toEqual(
      [],
    );
  });

  test('when the token endpoint is down', async () => {
    const browser = openBrowser(api.url);
    const callback = await comeBack(browser);
    api.google.fail({ path: /token/, times: 1, status: 503, body: { error: 'temporarily_unavailable' } });
    await expectRefusal(await browser.complete(callback), 'provider_unavailable');
  });

  test('when the token endpoint responds with a page instead of JSON', async () => {
    const browser = openBrowser(api.url);
    const callback = await comeBack(browser);
    api.google.fail({ path: /token/, times: 1, status: 502, headers: { 'content-type': 'text/html' } });
    await expectRefusal(await browser.complete(callback), 'provider_unavailable');
  });
});

test('R06: whatever the query of a callback holds, the browser ends at the front end’s /auth/callback, without a session', async () => {
  const browser = openBrowser(api.url);
  const state = (await comeBack(browser)).searchParams.get('state') ?? '';
  const landings = [LANDING, ...SignInErrorSchema.options.map(failureUrl)];
  const before = await api.testDatabase.query('SELECT * FROM "Session"');
  const cookie = `login_binding=${browser.cookies.get('login_binding')}`;
  const names = 'state code error error_description iss redirect_uri next returnTo Location scope'.split(' ');
  const binary = (maxLength: number) => fc.string({ unit: 'binary', maxLength });
  const evil = ['https://evil.example', '//evil.example', '\r\nLocation: https://evil.example', '../..'];
  const value = fc.oneof(binary(40), fc.constantFrom(state, ...evil), fc.webUrl());
  const pair = fc.tuple(fc.oneof(fc.constantFrom(...names), binary(10)), value);
  const query = fc.oneof(
    fc.array(pair, { maxLength: 6 }).map((pairs) => new URLSearchParams(pairs).toString()),
    // As text that is no well-formed query.
    fc.string({ maxLength: 60 }).map((text) => encodeURI(text.toWellFormed()).replaceAll('%25', '%')),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(query, { minLength: 20, maxLength: 20 }), async (queries) => {
      const responses = await Promise.all(
        queries.map((text) =>
          fetch(`${api.url}/auth/idp/callback?${text}`, { headers: { cookie }, redirect: 'manual' }),
        ),
      );
      for (const { status, headers } of responses) {
        expect(status).toBe(302);
        expect(landings).toContain(headers.get('location'));
      }
    }),
    { numRuns: 50, endOnFailure: true },
  );
  expect(await api.testDatabase.query('SELECT * FROM "Session"')).toEqual(before);
});

test.each([
  ['access=all', 'access', 'must be read or change'],
  ['renew=yes', 'renew', 'must be true or false'],
  ['provider=gmail&provider=fastmail', 'provider', 'must be a string'],
  ['provider=elsewhere&acess=read', 'acess', 'is not known here'],
])('a sign-in that is asked for with %s is refused', async (query, path, message) => {
  const { status, body } = await openBrowser(api.url).get(`/auth/idp?${query}`);
  expect([status, body.errors]).toEqual([400, [{ path, message }]]);
});

describe('a provider that can’t be reached', () => {
  test('sends the browser back to the front end, and is asked again next time', async () => {
    const fresh = await api.startReplica();
    api.google.fail({ path: /openid-configuration/, times: 1, status: 503 });
    const browser = openBrowser(fresh.url);

    const refused = await browser.get('/auth/idp');
    expect(refused.status).toBe(302);
    expect(refused.headers.location).toBe(failureUrl('provider_unavailable'));
    expect((await browser.begin()).origin).toBe(api.google.url);
  });
});

describe('a sign-in that can’t be written down', () => {
  test('sends the browser back to the front end, at its beginning and at its end', async () => {
    const browser = openBrowser(api.url);
    const callback = await comeBack(browser);
    await api.testDatabase.query('ALTER TABLE "PendingLogin" RENAME TO "Elsewhere"');
    onTestFinished(
      async () => void (await api.testDatabase.query('ALTER TABLE "Elsewhere" RENAME TO "PendingLogin"')),
    );

    await expectRefusal(await openBrowser(api.url).get('/auth/idp'), 'temporarily_unavailable');
    await expectRefusal(await browser.complete(callback), 'temporarily_unavailable');
    expect(tokenCalls()).toBe(0);
  });
});

const comeBack = async (browser: ReturnType<typeof openBrowser>): Promise<URL> =>
  chooseAccount((await browser.begin()).href, 'ada@example.com');

const IS_STATE = `"stateHash" = encode(sha256(convert_to($1, 'UTF8')), 'hex')`;
const readNonce = async ({ searchParams }: URL): Promise<string> => {
  const [login] = await api.testDatabase.query<{ nonce: string }>(
    `SELECT "nonce" FROM "PendingLogin" WHERE ${IS_STATE}`,
    [searchParams.get('state')],
  );
  return login?.nonce ?? expect.fail('there is no such sign-in');
};
/** Changes which nonce the API expects. */
const setNonce = async ({ searchParams }: URL, nonce: string): Promise<void> => {
  const changed = await api.testDatabase.query(
    `UPDATE "PendingLogin" SET "nonce" = $2 WHERE ${IS_STATE} RETURNING "nonce"`,
    [searchParams.get('state'), nonce],
  );
  expect(changed).toEqual([{ nonce }]);
};

const tokenCalls = () => api.google.countCalls(/^\/oauth2\/token/);

const expectRefusal = async (response: supertest.Response, code: string) => {
  expect(response.status).toBe(302);
  expect(response.headers.location).toBe(failureUrl(code));
  expect(String(response.headers['set-cookie'])).not.toContain('session_token');
};

let api: ApiHarness;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(() => api.google.heal());
afterAll(() => api.close());
