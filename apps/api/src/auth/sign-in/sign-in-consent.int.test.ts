import { chooseAccount } from '@mailsweep/google-sandbox/testing/sign-in-pages';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiHarness, createClient, FRONTEND_ORIGIN, startApi } from '../../testing/api-harness.ts';
import { openBrowser } from '../../testing/browser.ts';

const HOME = `${FRONTEND_ORIGIN}/auth/callback`;

describe('the consent screen', () => {
  test('is not shown to a user whose refresh token is usable, though the session has ended', async () => {
    await api.signIn();
    withoutRefreshTokens(1);
    const browser = openBrowser(api.url);
    const url = await browser.begin();

    expect(url.searchParams.get('prompt')).toBe('select_account');
    const response = await browser.complete(await chooseAccount(url.href, 'ada@example.com'));
    expect(response.headers.location).toBe(HOME);
  });

  test.each([
    ['no user has signed in before', 'DELETE FROM "User"'],
    ['the stored one is dead', 'UPDATE "ProviderConnection" SET "reauthRequiredAt" = now()'],
    ['none is stored', 'UPDATE "ProviderConnection" SET "encryptedRefreshToken" = NULL'],
    ['the stored one cannot be read', `UPDATE "ProviderConnection" SET "encryptedRefreshToken" = 'v1.x.y.z'`],
  ])('is shown once when no refresh token came and %s', async (_, change) => {
    await api.signIn();
    await api.testDatabase.query(change);
    withoutRefreshTokens(2);
    const browser = openBrowser(api.url);
    const first = await browser.complete(
      await chooseAccount((await browser.begin()).href, 'ada@example.com'),
    );

    const consent = new URL(first.headers.location ?? '');
    expect(consent.origin).toBe(api.google.url);
    expect(consent.searchParams.get('prompt')).toBe('consent');
    expect(consent.searchParams.get('login_hint')).toBe('ada@example.com');
    expect(browser.cookies.has('session_token')).toBe(false);
    // A provider that gives no refresh token for consent either gives none at all.
    const second = await browser.complete(await chooseAccount(consent.href, 'ada@example.com'));
    expect(second.headers.location).toBe(HOME);
    expect(browser.cookies.has('session_token')).toBe(true);
  });
});

describe('renewing the connection', () => {
  test('suggests the account of the session and asks, without consent while the refresh token is usable', async () => {
    const browser = await signedIn();
    const { searchParams } = await beginRenewal(browser);

    expect(searchParams.get('login_hint')).toBe('ada@example.com');
    expect(searchParams.get('prompt')).toBe('select_account');
  });

  test('asks for consent when the connection is dead, and brings it back', async () => {
    const browser = await signedIn();
    await api.testDatabase.query('UPDATE "ProviderConnection" SET "reauthRequiredAt" = now()');
    const url = await beginRenewal(browser);

    expect(url.searchParams.get('login_hint')).toBe('ada@example.com');
    expect(url.searchParams.get('prompt')).toBe('consent');
    await browser.complete(await chooseAccount(url.href, 'ada@example.com'));
    expect((await whoIs(browser)).body).toMatchObject({ email: 'ada@example.com', connection: 'active' });
  });

  test.each(['known', 'unknown'])('does not switch to another account, %s or not', async (kind) => {
    await api.testDatabase.query('DELETE FROM "User"');
    if (kind === 'known') await api.signIn('grace@example.com');
    const browser = await signedIn();
    const token = browser.cookies.get('session_token');
    const url = await beginRenewal(browser);
    const response = await browser.complete(await chooseAccount(url.href, 'grace@example.com'));

    expect(response.headers.location).toBe(`${HOME}?error=account_mismatch`);
    expect(browser.cookies.get('session_token')).toBe(token);
    expect((await whoIs(browser)).body.email).toBe('ada@example.com');
    const users = await api.testDatabase.query('SELECT FROM "User"');
    expect(users).toHaveLength(kind === 'known' ? 2 : 1);
  });

  test('is an ordinary sign-in when the session has ended, and shows nothing of its user', async () => {
    const browser = await signedIn();
    await api.testDatabase.query('UPDATE "Session" SET "revokedAt" = now()');
    const { searchParams } = await beginRenewal(browser);

    expect(searchParams.get('prompt')).toBe('select_account');
    expect(searchParams.has('login_hint')).toBe(false);
  });
});

test('the sign-in page lets another account in, also while a user is signed in', async () => {
  const browser = await signedIn();
  await browser.signIn('grace@example.com');

  expect((await whoIs(browser)).body.email).toBe('grace@example.com');
});

test.each([
  ['admin_policy_enforced', 'domain_policy'],
  ['org_internal', 'domain_policy'],
  ['deleted_client', 'provider_configuration'],
])('a callback with %s ends with %s', async (error, code) => {
  const browser = openBrowser(api.url);
  const state = (await browser.begin()).searchParams.get('state');
  const response = await browser.get(`/auth/idp/callback?error=${error}&state=${state}`);

  expect(response.headers.location).toBe(`${HOME}?error=${code}`);
});

const withoutRefreshTokens = (times: number) =>
  api.google.rewrite({
    path: /^\/oauth2\/token/,
    times,
    change: ({ refresh_token: _, ...response }) => response,
  });

const signedIn = async () => {
  const browser = openBrowser(api.url);
  await browser.signIn('ada@example.com');
  return browser;
};

const beginRenewal = async (browser: ReturnType<typeof openBrowser>): Promise<URL> =>
  new URL((await browser.get('/auth/idp?renew=true')).headers.location ?? '');

const whoIs = (browser: ReturnType<typeof openBrowser>) =>
  createClient(api.url, browser.cookies.get('session_token') ?? '').get('/api/v1/me');

let api: ApiHarness;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(() => api.google.heal());
afterAll(() => api.close());
