import { type JmapServer, startJmapServer } from '@mailsweep/mail/provider-connection/testing';
import supertest from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ApiHarness, FRONTEND_ORIGIN, startApi } from '../../testing/api-harness.ts';
import { type Browser, openBrowser } from '../../testing/browser.ts';

const REDIRECT = 'http://localhost:3000/auth/idp/callback';

describe.each(['openid', 'oauth'])('signing in at a JMAP server by %s', (key) => {
  test('sends the browser there with PKCE, state, the scopes and an address of its own to come back to', async () => {
    const url = await begin(openBrowser(api.url), key);

    expect(url.origin).toBe(jmap.url);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'client',
      redirect_uri: `${REDIRECT}/${key}`,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      prompt: 'consent',
      state: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(url.searchParams.has('access_type')).toBe(false);
    expect(url.searchParams.has('nonce')).toBe(key === 'openid');
  });

  test('ends signed in, as whom the session of the server names', async () => {
    const browser = openBrowser(api.url);
    const response = await signIn(browser, key, 'ada@jmap.example');

    expect(response.headers.location).toBe(`${FRONTEND_ORIGIN}/auth/callback`);
    expect((await browser.get('/api/v1/me')).body).toMatchObject({
      email: 'ada@jmap.example',
      name: key === 'openid' ? 'Name of ada@jmap.example' : null,
      connection: 'active',
      provider: { key, name: `JMAP by ${key}`, kind: 'jmap', signIn: 'redirect' },
    });
    const [row] = await connections('ada@jmap.example', key);
    expect(row).toMatchObject({ providerSubject: `jmap:${key}:u1`, accountId: 'u1' });
  });

  test('is one user however often, and a renewal goes to the same server', async () => {
    const browser = openBrowser(api.url);
    await signIn(browser, key, 'ada@jmap.example');
    const renewal = await browser.get('/auth/idp?renew=true');
    const url = new URL(renewal.headers.location ?? '');

    expect(url.origin).toBe(jmap.url);
    expect(url.searchParams.get('login_hint')).toBe('ada@jmap.example');
    const other = await browser.complete(jmap.consent(url, 'grace'));
    expect(other.headers.location).toBe(
      `${FRONTEND_ORIGIN}/auth/callback?error=account_mismatch&provider=${key}`,
    );
    expect(await connections('ada@jmap.example', key)).toHaveLength(1);
  });

  test('gives the grant back when the user erases everything', async () => {
    const browser = openBrowser(api.url);
    await signIn(browser, key, 'erin@jmap.example');
    await supertest(api.url)
      .delete('/api/v1/me')
      .set('cookie', `session_token=${browser.cookies.get('session_token')}`)
      .send({ confirm: 'erin@jmap.example' })
      .expect(204);

    expect(jmap.calls.at(-1)).toMatchObject({
      path: '/revoke',
      form: { token: expect.stringMatching(/^refresh-/) },
    });
  });
});

describe('users of several providers', () => {
  test('are others at each, whatever subject and address these give them', async () => {
    await signIn(openBrowser(api.url), 'openid', 'ada@jmap.example');
    await signIn(openBrowser(api.url), 'oauth', 'ada@jmap.example');
    await postToken('own', jmap.issueToken('ada@jmap.example')).expect(204);
    await api.testDatabase.query(
      `UPDATE "User" SET "email" = 'ada@jmap.example' WHERE "providerSubject" !~ '^jmap'`,
    );
    await openBrowser(api.url).signIn('ada@example.com');

    const users = await api.testDatabase.query<{ providerSubject: string }>(
      `SELECT "providerSubject" FROM "User" WHERE "email" IN ('ada@jmap.example', 'ada@example.com')`,
    );
    expect(
      users.map(({ providerSubject }) => providerSubject.replace(/^\d+$/, 'of Google')).toSorted(),
    ).toEqual(['jmap:oauth:u1', 'jmap:openid:u1', 'jmap:own:u1', 'of Google']);
  });

  test('cannot pass a response of one provider off as that of another', async () => {
    const browser = openBrowser(api.url);
    const callback = jmap.consent(await begin(browser, 'oauth'), 'ada@jmap.example');
    callback.pathname = callback.pathname.replace('oauth', 'openid');

    expect((await browser.complete(callback)).headers.location).toContain('?error=invalid_state');
    expect(jmap.calls.map(({ path }) => path)).not.toContain('/token');
  });

  test('are refused at a provider that there is not', async () => {
    const response = await openBrowser(api.url).get('/auth/idp?provider=nowhere');
    expect(response.headers.location).toBe(
      `${FRONTEND_ORIGIN}/auth/callback?error=provider_configuration&provider=nowhere`,
    );
  });
});

describe.each([
  ['without a mailbox', 'nomail', 'mail_service_disabled', 'is of an account without a mailbox of its own'],
  [
    'with the mailbox of others',
    'shared',
    'mail_service_disabled',
    'is of an account without a mailbox of its own',
  ],
])('a user %s', (_case, username, code, message) => {
  test('is refused after the consent', async () => {
    const response = await signIn(openBrowser(api.url), 'oauth', username);
    expect(response.headers.location).toBe(`${FRONTEND_ORIGIN}/auth/callback?error=${code}&provider=oauth`);
  });

  test('is refused with a token', async () => {
    const { body } = await postToken('own', jmap.issueToken(username)).expect(400);
    expect(body.errors).toEqual([{ path: 'token', message }]);
  });
});

describe('signing in with a token that the user made', () => {
  test('of an account that may only read lets them look', async () => {
    const { headers } = await postToken('own', jmap.issueToken('reader')).expect(204);
    const cookie = [headers['set-cookie'] ?? []].flat().join().split(';')[0] ?? '';
    const { body } = await supertest(api.url).get('/api/v1/me').set({ cookie }).expect(200);
    expect(body).toMatchObject({ email: 'reader', mailbox: { canChange: false } });
  });

  test('opens a session, and stores the token encrypted', async () => {
    const token = jmap.issueToken('grace');
    const response = await postToken('own', token).expect(204);
    const cookie = String(response.headers['set-cookie']);

    expect(cookie).toMatch(/^session_token=[^;]+;.*HttpOnly.*SameSite=Lax/i);
    const me = await supertest(api.url).get('/api/v1/me').set('cookie', cookie).expect(200);
    expect(me.body).toMatchObject({
      email: 'grace',
      connection: 'active',
      provider: { key: 'own', kind: 'jmap', signIn: 'token' },
    });
    const rows = await connections('grace', 'own');
    expect(rows).toMatchObject([{ accountId: 'u2', encryptedRefreshToken: null }]);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(api.logLines.join('')).not.toContain(token);
  });

  test('a renewal leads to the form for a new token', async () => {
    const browser = openBrowser(api.url);
    const response = await postToken('own', jmap.issueToken('grace')).expect(204);
    browser.cookies.set(
      'session_token',
      /session_token=([^;]+)/.exec(String(response.headers['set-cookie']))?.[1] ?? '',
    );

    const renewal = await browser.get('/auth/idp?renew=true');
    expect(renewal.headers.location).toBe(`${FRONTEND_ORIGIN}/sign-in?provider=own`);
  });

  test('a token that the server does not accept is named, and not repeated', async () => {
    const { body } = await postToken('own', 'secret-of-another-server').expect(400);

    expect(body).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'token', message: 'is not accepted by the provider' }],
    });
    expect(JSON.stringify(body) + api.logLines.join('')).not.toContain('secret-of-another-server');
  });

  test('a server that refuses what the first screen asks for is named, with its error', async () => {
    const response = await postToken('own', jmap.issueToken('grace')).expect(204);
    const cookie = String(response.headers['set-cookie']);
    jmap.failWith(418);
    const { body, headers } = await supertest(api.url)
      .get('/api/v1/emails')
      .set('cookie', cookie)
      .expect(502);

    expect(body).toMatchObject({
      code: 'mailbox_refused',
      detail: `The mail provider refused this: ${new URL(jmap.url).host} responded with 418.`,
    });
    expect(headers['retry-after']).toBeUndefined();
  });

  test.each([
    ['is down', 503],
    ['has no JMAP session', 404],
  ])('a server that %s is not the fault of the token', async (_case, status) => {
    // Longer than anybody waits.
    jmap.failWith(status, { 'retry-after': '60' });
    const { body, headers } = await postToken('own', jmap.issueToken('grace')).expect(503);
    expect([body.code, headers['retry-after']]).toEqual(['mailbox_unavailable', '5']);
  });

  test('adds a mailbox of another provider to the session, and to no session but a recent one', async () => {
    const ada = await api.signIn('edith@example.com');
    const token = jmap.issueToken('ada@jmap.example');

    expect((await addByToken('', token).expect(401)).body.code).toBe('recent_sign_in_required');
    const { body, headers } = await addByToken(ada.cookie, token).expect(200);
    expect(body).toEqual({ mailbox: 2 });
    expect(headers['set-cookie']).toBeUndefined();
    const { data } = (await ada.get('/api/v1/me/mailboxes')).body;
    expect(data.map(({ provider }: { provider: { key: string } }) => provider.key)).toEqual(['gmail', 'own']);

    const grace = await api.signIn('grace@example.com');
    expect((await addByToken(grace.cookie, token).expect(409)).body.code).toBe('mailbox_taken');
  });

  test('a server whose address leads to another one is named with it', async () => {
    const token = jmap.issueToken('grace');
    jmap.failWith(301, { location: 'http://other.example/jmap' });
    const { body } = await postToken('own', token).expect(503);
    expect(body).toMatchObject({
      code: 'provider_configuration',
      detail: expect.stringContaining(`${new URL(jmap.url).origin} redirects to http://other.example.`),
    });
  });

  test.each([
    ['a provider with OAuth', { provider: 'oauth', token: 'x' }, 'provider'],
    ['Gmail', { provider: 'gmail', token: 'x' }, 'provider'],
    ['an unknown provider', { provider: 'nowhere', token: 'x' }, 'provider'],
    ['no token', { provider: 'own' }, 'token'],
    ['a token with a line break in it', { provider: 'own', token: 'x\r\ncookie: y' }, 'token'],
  ])('%s is refused', async (_case, body, field) => {
    const response = await supertest(api.url).post('/auth/token').set('origin', FRONTEND_ORIGIN).send(body);
    expect(response.status).toBe(400);
    expect(response.body.errors).toMatchObject([{ path: field }]);
    expect(jmap.calls).toEqual([]);
  });

  test('another site can sign nobody in', async () => {
    const token = jmap.issueToken('grace');
    const form = supertest(api.url).post('/auth/token').type('form').send({ provider: 'own', token });
    await form.expect(415);
    const { headers } = await supertest(api.url)
      .post('/auth/token')
      .set('origin', 'https://evil.example')
      .send({ provider: 'own', token })
      .expect(403);
    expect(headers['set-cookie']).toBeUndefined();
    expect(jmap.calls).toEqual([]);
  });

  test('is limited by address like every sign-in', async () => {
    const strict = await api.startReplica({ AUTH_RATE_LIMIT_PER_MINUTE: '2' });
    const send = () => supertest(strict.url).post('/auth/token').send({ provider: 'own', token: 'guess' });
    expect([(await send()).status, (await send()).status, (await send()).status]).toEqual([400, 400, 429]);
  });
});

const begin = async (browser: Browser, key: string): Promise<URL> => {
  const response = await browser.get(`/auth/idp?provider=${key}`);
  return new URL(response.headers.location ?? '');
};

const signIn = async (browser: Browser, key: string, username: string) =>
  browser.complete(jmap.consent(await begin(browser, key), username));

const postToken = (provider: string, token: string) =>
  supertest(api.url).post('/auth/token').set('origin', FRONTEND_ORIGIN).send({ provider, token });

/** Adds the mailbox to that of a session, which may have begun a while ago. */
const addByToken = (cookie: string, token: string) =>
  supertest(api.url)
    .post('/auth/token')
    .set({ origin: FRONTEND_ORIGIN, cookie })
    .send({ provider: 'own', token, add: true });

const connections = (email: string, provider: string) =>
  api.testDatabase.query(
    `SELECT "providerSubject", "accountId", "encryptedAccessToken", "encryptedRefreshToken"
     FROM "ProviderConnection" JOIN "User" ON "id" = "userId" WHERE "email" = $1 AND "provider" = $2`,
    [email, provider],
  );

let jmap: JmapServer;
let api: ApiHarness;
beforeAll(async () => {
  jmap = await startJmapServer({
    users: {
      'ada@jmap.example': { accountId: 'u1' },
      'erin@jmap.example': { accountId: 'u3' },
      grace: { accountId: 'u2' },
      nomail: { accountId: 'u4', hasMail: false },
      shared: { accountId: 'u5', isPersonal: false },
      reader: { accountId: 'u6', isReadOnly: true },
    },
    clientSecret: 'jmap-secret',
  });
  const shared = { sessionUrl: jmap.sessionUrl };
  const client = { issuer: jmap.url, clientId: 'client', clientSecret: 'jmap-secret' };
  const scopes = ['openid', 'email', 'offline_access', 'urn:ietf:params:jmap:mail'];
  api = await startApi({
    env: {
      JMAP_PROVIDERS: JSON.stringify([
        { key: 'openid', name: 'JMAP by openid', ...shared, ...client, scopes },
        { key: 'oauth', name: 'JMAP by oauth', ...shared, ...client },
        { key: 'own', name: 'JMAP with a token', ...shared, token: true },
      ]),
    },
  });
});
afterEach(() => {
  jmap.failWith(undefined);
  jmap.calls.length = 0;
});
afterAll(async () => {
  await api.close();
  await jmap.close();
});
