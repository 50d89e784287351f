import { chooseAccount } from '@mailsweep/google-sandbox/testing/sign-in-pages';
import { createTokenCipher } from '@mailsweep/mail/provider-connection';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiHarness, createClient, FRONTEND_ORIGIN, startApi } from '../../testing/api-harness.ts';
import { openBrowser, readSetCookie } from '../../testing/browser.ts';

describe('signing in', () => {
  test('the browser is sent to the provider with PKCE, state, nonce, offline access and the Gmail scope', async () => {
    const url = await openBrowser(api.url).begin();

    expect(url.origin).toBe(api.google.url);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'client',
      redirect_uri: 'http://localhost:3000/auth/idp/callback',
      scope: 'openid email profile https://www.googleapis.com/auth/gmail.modify',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      access_type: 'offline',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test('ends at exactly the front end’s /auth/callback, signed in (R06)', async () => {
    const browser = openBrowser(api.url);
    const response = await browser.signIn();

    expect(response.status).toBe(302);
    expect(response.headers.location).toBe(`${FRONTEND_ORIGIN}/auth/callback`);
    expect(response.headers['cache-control']).toBe('no-store');
    const account = await browser.get('/api/v1/me');
    expect(account.body).toMatchObject({ email: 'ada@example.com', name: 'Ada Lovelace' });
  });

  test('R02: the session cookie is HttpOnly, Lax, for every path, of no domain, and small enough for any browser', async () => {
    const cookie = readSetCookie(await openBrowser(api.url).signIn(), 'session_token') ?? {};

    expect(cookie).toEqual({
      value: expect.any(String),
      httponly: '',
      samesite: 'Lax',
      path: '/',
      expires: expect.any(String),
    });
    expect(`session_token=${cookie.value}`.length).toBeLessThan(1_024);
    expect(new Date(cookie.expires ?? '').getTime() - Date.now()).toBeCloseTo(720 * 3_600_000, -5);
  });

  test('the state is bound to the browser by a cookie', async () => {
    const response = await openBrowser(api.url).get('/auth/idp');

    expect(readSetCookie(response, 'login_binding')).toEqual({
      value: expect.stringMatching(/^[\w-]{43}$/),
      httponly: '',
      samesite: 'Lax',
      path: '/',
      'max-age': '600',
      expires: expect.any(String),
    });
  });

  test.each(['', 'x', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}!`])(
    'a login cookie that is none of ours is replaced: %j',
    async (planted) => {
      const browser = openBrowser(api.url);
      browser.cookies.set('login_binding', planted);
      await browser.begin();

      expect(browser.cookies.get('login_binding')).toMatch(/^[\w-]{43}$/);
      expect((await browser.signIn()).headers.location).toBe(`${FRONTEND_ORIGIN}/auth/callback`);
    },
  );

  test('two tabs may both sign in, in whichever order they come back', async () => {
    const browser = openBrowser(api.url);
    const first = await browser.begin();
    const second = await browser.begin();
    const [firstBack, secondBack] = [
      await chooseAccount(first.href, 'ada@example.com'),
      await chooseAccount(second.href, 'ada@example.com'),
    ];

    expect((await browser.complete(secondBack)).headers.location).toBe(`${FRONTEND_ORIGIN}/auth/callback`);
    expect((await browser.complete(firstBack)).headers.location).toBe(`${FRONTEND_ORIGIN}/auth/callback`);
  });

  test('the same user is the same user at every sign-in, and another user is another', async () => {
    const [ada, adaAgain, grace] = [
      await api.signIn(),
      await api.signIn(),
      await api.signIn('grace@example.com'),
    ];

    expect(adaAgain.userId).toBe(ada.userId);
    expect(adaAgain.token).not.toBe(ada.token);
    expect(grace.userId).not.toBe(ada.userId);
  });
});

describe('a first sign-in', () => {
  test('may happen several times at once: it is one user all the same', async () => {
    await api.testDatabase.query('DELETE FROM "User"');
    const clients = await Promise.all(Array.from({ length: 6 }, () => api.signIn()));

    expect(new Set(clients.map(({ userId }) => userId)).size).toBe(1);
    expect(await api.testDatabase.query('SELECT FROM "User"')).toHaveLength(1);
  });
});

describe('the provider’s tokens', () => {
  test('R09: are stored encrypted: no token is readable anywhere in the database', async () => {
    const { userId } = await api.signIn();
    const stored = await readStoredTokens(userId);
    expect(stored.accessToken).toMatch(/^ya29\./);
    expect(stored.refreshToken).toMatch(/^1\/\//);

    const dump = await dumpDatabase();
    expect(dump).toContain(userId);
    for (const token of [stored.accessToken, stored.refreshToken]) {
      expect(dump).not.toContain(token);
      expect(dump).not.toContain(Buffer.from(token).toString('base64').slice(0, -3));
      expect(dump).not.toContain(Buffer.from(token).toString('hex'));
    }
    expect(dump).not.toMatch(/ya29\.|\b1\/\//);
  });

  test('neither state, PKCE verifier nor session token are readable in the database', async () => {
    const browser = openBrowser(api.url);
    const url = await browser.begin();
    const dump = await dumpDatabase();

    expect(dump).not.toContain(url.searchParams.get('state'));
    expect(dump).not.toContain(browser.cookies.get('login_binding'));
    await browser.complete(await chooseAccount(url.href, 'ada@example.com'));
    expect(await dumpDatabase()).not.toContain(browser.cookies.get('session_token')?.split('.')[2]);
  });

  test('R08: the stored refresh token is kept when the provider sends no new one', async () => {
    const { userId } = await api.signIn();
    const before = await readStoredTokens(userId);
    api.google.rewrite({
      path: /^\/oauth2\/token/,
      times: 1,
      change: ({ refresh_token: _, ...response }) => response,
    });
    await api.signIn();
    const after = await readStoredTokens(userId);

    expect(after.accessToken).not.toBe(before.accessToken);
    expect(after.refreshToken).toBe(before.refreshToken);
  });

  test('signing in again brings a dead connection back to life', async () => {
    const { userId } = await api.signIn();
    await api.testDatabase.query(
      'UPDATE "ProviderConnection" SET "reauthRequiredAt" = now() WHERE "userId" = $1',
      [userId],
    );
    const ada = await api.signIn();

    expect((await ada.get('/api/v1/me')).body.connection).toBe('active');
  });
});

describe('an API that browsers reach over https', () => {
  test('R02: sets Secure cookies', async () => {
    const secure = await api.startReplica({
      OAUTH_REDIRECT_URI: 'https://api.example.com/auth/idp/callback',
    });
    const response = await openBrowser(secure.url).get('/auth/idp');

    expect(readSetCookie(response, '__Host-login_binding')).toMatchObject({ secure: '', path: '/' });
    expect(readSetCookie(response, '__Host-login_binding')).not.toHaveProperty('domain');
  });

  test('does not take the login cookie that a sibling host can set', async () => {
    const { url } = await api.startReplica({
      OAUTH_REDIRECT_URI: 'https://api.example.com/auth/idp/callback',
    });
    const browser = openBrowser(url);
    const state = (await browser.begin()).searchParams.get('state') ?? '';
    const secret = browser.cookies.get('__Host-login_binding') ?? '';
    browser.cookies.delete('__Host-login_binding');
    browser.cookies.set('login_binding', secret);
    const response = await browser.get(`/auth/idp/callback?state=${state}&code=code`);

    expect(response.headers.location).toContain('?error=invalid_state');
  });
});

describe('a session', () => {
  test('lives as long as configured', async () => {
    const brief = await api.startReplica({ SESSION_TTL_HOURS: '0.5' });
    const browser = openBrowser(brief.url);
    const cookie = readSetCookie(await browser.signIn(), 'session_token') ?? {};
    const account = await createClient(api.url, cookie.value ?? '').get('/api/v1/me');

    const lifeMs = new Date(account.body.sessionExpiresAt).getTime() - Date.now();
    expect(lifeMs).toBeGreaterThan(29 * 60_000);
    expect(lifeMs).toBeLessThanOrEqual(30 * 60_000);
  });
});

const readStoredTokens = async (userId: string) => {
  const cipher = createTokenCipher({ current: Buffer.from(api.env.TOKEN_ENCRYPTION_KEY, 'base64') });
  const [row] = await api.testDatabase.query<{
    encryptedAccessToken: string;
    encryptedRefreshToken: string;
  }>('SELECT * FROM "ProviderConnection" WHERE "userId" = $1', [userId]);
  return {
    accessToken: cipher.decrypt(row?.encryptedAccessToken ?? '', userId),
    refreshToken: cipher.decrypt(row?.encryptedRefreshToken ?? '', userId),
  };
};

/** Every row of every table, as text. */
const dumpDatabase = async (): Promise<string> => {
  const tables = await api.testDatabase.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const dumps = await Promise.all(
    tables.map(({ name }) =>
      api.testDatabase.query<{ line: string }>(`SELECT t::text AS line FROM ${name} t`),
    ),
  );
  return dumps.flatMap((rows) => rows.map((row) => row.line)).join('\n');
};

let api: ApiHarness;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(() => api.google.heal());
afterAll(() => api.close());
