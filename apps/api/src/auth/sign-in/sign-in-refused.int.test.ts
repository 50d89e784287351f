import { chooseAccount } from '@mailsweep/google-sandbox/testing/sign-in-pages';
import type supertest from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type ApiHarness, FRONTEND_ORIGIN, startApi } from '../../testing/api-harness.ts';
import { openBrowser } from '../../testing/browser.ts';

const failureUrl = (code: string) => `${FRONTEND_ORIGIN}/auth/callback?error=${code}`;

describe('R05: a callback with a bad state opens no session and asks the provider nothing', () => {
  test('when the state is missing', async () => {
    const browser = openBrowser(api.url);
    const callback = await comeBack(browser);
    callback.searchParams.delete('state');
    await expectRefusal(await browser.complete(callback), 'invalid_state');
    expect(tokenCalls()).toBe(0);
  });

  test('when the state was made up', async () => {
    const browser = openBrowser(api.url);
    const callback = await comeBack(browser);
    callback.searchParams.set('state', 'made-up');
    await expectRefusal(await browser.complete(callback), 'invalid_state');
    expect(tokenCalls()).toBe(0);
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

  test('when the browser has no login cookie', async () => {
    const callback = await comeBack(openBrowser(api.url));
    await expectRefusal(await openBrowser(api.url).complete(callback), 'invalid_state');
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
    expect(locations).toEqual([`${FRONTEND_ORIGIN}/auth/callback`, failureUrl('invalid_state')]);
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
