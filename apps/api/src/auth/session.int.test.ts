import { createSecretKey } from 'node:crypto';
import { API_ROUTES, type RouteContract } from '@mailsweep/contracts';
import { deriveKey } from '@mailsweep/mail/provider-connection';
import { openFaultProxy } from '@mailsweep/service-kit/testing';
import jwt from 'jsonwebtoken';
import supertest from 'supertest';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { type ApiClient, type ApiHarness, createClient, startApi } from '../testing/api-harness.ts';
import { openBrowser, readSetCookie } from '../testing/browser.ts';
import { createSessionTokens, type SessionClaims } from './session-token.ts';

const routes = Object.values<RouteContract>(API_ROUTES).map((route) => ({
  ...route,
  path: route.path.replace('{id}', '019a0000-0000-7000-8000-000000000000'),
}));

describe('every route but the health routes needs a session', () => {
  test.each(routes.filter((route) => route.access !== 'public'))(
    '$method $path returns 401 without one',
    async (route) => {
      const response = await supertest(api.url)[route.method](route.path);

      expect(response.status).toBe(401);
      expect(response.headers['www-authenticate']).toBe('Bearer');
      expect(response.body).toMatchObject({ status: 401, code: 'unauthorized', title: 'Unauthorized' });
    },
  );

  test.each(routes.filter((route) => route.access === 'public'))(
    '$method $path needs none',
    async (route) => {
      await supertest(api.url)[route.method](route.path).expect(200);
    },
  );

  test('an unknown client’s body is not even read', async () => {
    const response = await supertest(api.url)
      .post('/api/v1/inbox/actions')
      .set('content-type', 'application/json')
      .send('{"broken');

    expect(response.status).toBe(401);
  });
});

test('a request that is meant for another user than that of the session does nothing', async () => {
  const [ada, grace] = [await api.signIn(), await api.signIn('grace@example.com')];
  const adaId = (await ada.get('/api/v1/me').expect(200)).headers['mailsweep-user'];
  const meant = (request: supertest.Test) => request.set('mailsweep-user', String(adaId));
  const { body, headers } = await meant(grace.post('/api/v1/protections', { name: 'x@x.example' })).expect(
    403,
  );
  expect(body).toMatchObject({ code: 'user_changed', status: 403 });
  expect(headers['mailsweep-user']).not.toBe(adaId);
  await meant(grace.post('/auth/logout')).expect(403);
  expect((await grace.get('/api/v1/protections').expect(200)).body).toMatchObject({ total: 0 });
  await meant(ada.post('/api/v1/protections', { name: 'x@x.example' })).expect(200);
});

describe('a session token', () => {
  test('lets in as a cookie, and as a Bearer token without any cookie', async () => {
    const ada = await api.signIn();

    await ada.get('/api/v1/me').expect(200);
    await supertest(api.url).get('/api/v1/me').set('authorization', `Bearer ${ada.token}`).expect(200);
  });

  test('R03: two session cookies get 401, even if both are good', async () => {
    const [one, other] = [await api.signIn(), await api.signIn()];
    for (const cookies of [
      `${one.cookie}; ${other.cookie}`,
      `${one.cookie};${one.cookie}`,
      `a=b; ${one.cookie};  session_token=`,
    ]) {
      await supertest(api.url).get('/api/v1/me').set('cookie', cookies).expect(401);
    }
    await supertest(api.url).get('/api/v1/me').set('cookie', `a=b; ${one.cookie}`).expect(200);
  });

  test('is not looked for in the query', async () => {
    const ada = await api.signIn();

    await supertest(api.url)
      .get(`/api/v1/me?session_token=${ada.token}&access_token=${ada.token}`)
      .expect(401);
  });
});

describe('a session that is used', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true }));
  afterEach(() => void vi.useRealTimers());

  test('lasts 30 days from each use, by cookie or Bearer token and on any replica, but 180 days at most', async () => {
    const ada = await api.signIn();
    const replica = await api.startReplica();
    const clients = [ada, createClient(replica.url, ada.token)];
    expect(await daysLeft(ada.token)).toBeCloseTo(30, 2);
    for (const round of [1, 2, 3, 4, 5]) {
      await letPass(ada.token, 29);
      await clients[round % 2]?.get('/api/v1/me').expect(200);
      await expect.poll(() => daysLeft(ada.token)).toBeCloseTo(30, 2);
    }
    await letPass(ada.token, 29);
    await supertest(replica.url).get('/api/v1/me').auth(ada.token, { type: 'bearer' }).expect(200);
    await expect.poll(() => daysLeft(ada.token)).toBeCloseTo(180 - 6 * 29, 2);
    await letPass(ada.token, 7);
    await ada.get('/api/v1/me').expect(401);
  });

  test('is over after 30 days without a use, and stays so', async () => {
    const ada = await api.signIn();
    await letPass(ada.token, 30);
    await ada.get('/api/v1/me').expect(401);
    expect(await daysLeft(ada.token)).toBeLessThan(0);
  });

  test('from before an upgrade goes on, and its cookie is replaced at once', async () => {
    const ada = await api.signIn();
    const key = createSecretKey(deriveKey(Buffer.from(api.env.TOKEN_ENCRYPTION_KEY, 'base64'), 'session'));
    const { userId, sessionId } = createSessionTokens({ current: key }).verify(ada.token) as SessionClaims;
    const expiresAt = new Date(Date.now() + DAY_MS / 2);
    const former = createSessionTokens({ current: key }).sign({ userId, sessionId, expiresAt });
    await letPass(ada.token, 29.5);
    const cookie = readSetCookie(await createClient(api.url, former).get('/api/v1/me'), 'session_token');
    await expect.poll(() => daysLeft(ada.token)).toBeCloseTo(30, 2);
    vi.setSystemTime(Date.now() + DAY_MS);
    await createClient(api.url, former).get('/api/v1/me').expect(401);
    await createClient(api.url, cookie?.value ?? '')
      .post('/auth/logout')
      .expect(204);
  });

  test('has its cookie renewed with a read, once a day; a Bearer token is not replaced', async () => {
    const ada = await api.signIn();
    const readCookieOf = async (token: string) =>
      readSetCookie(await createClient(api.url, token).get('/api/v1/me').expect(200), 'session_token');
    expect(await readCookieOf(ada.token)).toBeUndefined();

    vi.setSystemTime(Date.now() + 1.01 * DAY_MS);
    const cookie = await readCookieOf(ada.token);
    expect(cookie).toMatchObject({ path: '/', httponly: '', samesite: 'Lax' });
    const { value: token = '', expires = '' } = cookie ?? {};
    expect((new Date(expires).getTime() - Date.now()) / DAY_MS).toBeCloseTo(30, 2);
    expect(await readCookieOf(token)).toBeUndefined();
    const bearer = await supertest(api.url).get('/api/v1/me').auth(ada.token, { type: 'bearer' }).expect(200);
    expect(bearer.headers['set-cookie']).toBeUndefined();

    // A sign-out deletes the cookie and sets no other; it ends what was renewed as well.
    expect((await ada.post('/auth/logout').expect(204)).headers['set-cookie']).toHaveLength(1);
    await createClient(api.url, token).get('/api/v1/me').expect(401);
  });

  test('lets nobody in again for what needs a recent sign-in', async () => {
    const ada = await api.signIn();
    await letPass(ada.token, 1);
    const response = await ada.get('/api/v1/me/export').expect(401);
    expect(response.body.code).toBe('recent_sign_in_required');
    await ada.post('/auth/logout').expect(204);
  });
});

describe('signing out', () => {
  test.each([
    ['signing out', (ada: ApiClient) => ada.post('/auth/logout').expect(204)],
    [
      'revoking it in the database',
      ({ token }: ApiClient) =>
        api.testDatabase.query('UPDATE "Session" SET "revokedAt" = now() WHERE "id" = $1', [
          (jwt.decode(token) as jwt.JwtPayload).sid,
        ]),
    ],
  ])(
    'R04: %s ends the session at once, on every replica, for cookie and Bearer alike',
    async (_name, end) => {
      const ada = await api.signIn();
      const replica = await api.startReplica();
      const elsewhere = createClient(replica.url, ada.token);
      // Whatever a replica remembers of a good session, it has remembered now.
      for (const client of [ada, elsewhere, ada, elsewhere]) await client.get('/api/v1/me').expect(200);

      await end(ada);

      await elsewhere.get('/api/v1/me').expect(401);
      await supertest(replica.url).get('/api/v1/me').auth(ada.token, { type: 'bearer' }).expect(401);
      await ada.get('/api/v1/me').expect(401);
    },
  );

  test('clears the cookie', async () => {
    const ada = await api.signIn();
    const cookie = readSetCookie(await ada.post('/auth/logout'), 'session_token');

    expect(cookie).toMatchObject({ value: '', path: '/', httponly: '', samesite: 'Lax' });
    expect(new Date(cookie?.expires ?? '').getTime()).toBe(0);
  });

  test('leaves the user’s other sessions alone', async () => {
    const [phone, laptop] = [await api.signIn(), await api.signIn()];
    await phone.post('/auth/logout').expect(204);

    await laptop.get('/api/v1/me').expect(200);
  });

  test.each(['/auth/logout', '/auth/logout-everywhere'])('takes nothing else: %s', async (path) => {
    const ada = await api.signIn();
    const { body } = await ada.post(path, { everywhere: false }).expect(400);
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'everywhere' }] });
    await ada.get('/api/v1/me').expect(200);
  });

  test('needs a session', async () => {
    await supertest(api.url).post('/auth/logout').expect(401);
  });
});

describe('R43: a session that is over', () => {
  test('is looked up once, however often its token comes', async () => {
    const proxy = await openFaultProxy(api.testDatabase.url);
    onTestFinished(() => proxy.close());
    const { url } = await api.startReplica({ DATABASE_URL: proxy.url });
    const [revoked, live] = [await api.signIn(), await api.signIn()];
    await revoked.post('/auth/logout').expect(204);
    const countLookups = async ({ token }: { token: string }, status: number) => {
      const { sid } = jwt.decode(token) as jwt.JwtPayload;
      let lookups = 0;
      proxy.onChunk(({ direction, bytes }) => {
        if (direction === 'up' && bytes.includes(sid)) lookups += 1;
      });
      for (let count = 0; count < 20; count += 1)
        await createClient(url, token).get('/api/v1/me').expect(status);
      return lookups;
    };

    expect(await countLookups(revoked, 401)).toBe(1);
    expect(await countLookups(live, 200)).toBe(20);
  });
});

describe('signing in again', () => {
  test('ends the session that the browser had, and no other', async () => {
    const phone = await api.signIn();
    const browser = openBrowser(api.url);
    await browser.signIn();
    const replaced = createClient(api.url, browser.cookies.get('session_token') ?? '');
    await replaced.get('/api/v1/me').expect(200);
    await browser.signIn('grace@example.com');

    await expect
      .poll(async () => (await replaced.get('/api/v1/me')).status, { timeout: 1_000, interval: 50 })
      .toBe(401);
    await createClient(api.url, browser.cookies.get('session_token') ?? '')
      .get('/api/v1/me')
      .expect(200);
    await phone.get('/api/v1/me').expect(200);
  });

  test('leaves the session as it was when it comes to nothing', async () => {
    const browser = openBrowser(api.url);
    await browser.signIn();
    await browser.get('/auth/idp/callback?state=unknown&code=unknown');

    await createClient(api.url, browser.cookies.get('session_token') ?? '')
      .get('/api/v1/me')
      .expect(200);
  });
});

describe('signing out everywhere', () => {
  test('R04: ends all sessions of the user within a second, on replicas too that have just let them in', async () => {
    const [phone, laptop] = [await api.signIn(), await api.signIn()];
    const grace = await api.signIn('grace@example.com');
    const replica = await api.startReplica();
    const clients = [api.url, replica.url].flatMap((url) => [
      createClient(url, phone.token),
      createClient(url, laptop.token),
    ]);
    for (const client of clients) await client.get('/api/v1/me').expect(200);

    await phone.post('/auth/logout-everywhere').expect(204);

    const listStatuses = () =>
      Promise.all(clients.map(async (client) => (await client.get('/api/v1/me')).status));
    await expect.poll(listStatuses, { timeout: 1_000, interval: 50 }).toEqual([401, 401, 401, 401]);
    await grace.get('/api/v1/me').expect(200);
  });

  test('clears the cookie, and leaves the user free to sign in again', async () => {
    const ada = await api.signIn();
    const response = await ada.post('/auth/logout-everywhere').expect(204);

    expect(readSetCookie(response, 'session_token')).toMatchObject({ value: '' });
    await (await api.signIn()).get('/api/v1/me').expect(200);
  });

  test('needs a session, and a request that comes from our own front end', async () => {
    await supertest(api.url).post('/auth/logout-everywhere').expect(401);
    const ada = await api.signIn();
    await ada.post('/auth/logout-everywhere').set('origin', 'https://evil.example').expect(403);
    await ada.get('/api/v1/me').expect(200);
  });
});

describe('the log', () => {
  const listSecurityEvents = () =>
    api.logLines.map((line) => JSON.parse(line)).filter((line) => line.securityEvent !== undefined);

  test('names who signed in and out by their id, who was refused, and who asked for another’s events', async () => {
    const ada = await api.signIn();
    await supertest(api.url).get('/auth/idp/callback?state=unknown').expect(302);
    await ada.get('/api/v1/notifications/events?userId=019a0000-0000-7000-8000-000000000000').expect(200);
    await ada.post('/auth/logout').expect(204);
    await (await api.signIn()).post('/auth/logout-everywhere').expect(204);

    const events = listSecurityEvents().slice(-6);
    expect(events.map((line) => line.securityEvent)).toEqual([
      'signed_in',
      'sign_in_refused',
      'foreign_user_asked',
      'signed_out',
      'signed_in',
      'signed_out_everywhere',
    ]);
    for (const event of events) {
      expect(event.requestId).toMatch(/./);
      if (event.securityEvent !== 'sign_in_refused') expect(event.userId).toBe(ada.userId);
      expect(JSON.stringify(event)).not.toMatch(/ada@|lovelace|example\.com/i);
    }
    expect(events[1].err).toMatchObject({ type: 'SignInFailure', message: 'sign-in failed: invalid_state' });
  });

  test('says how many sessions were live when they all ended', async () => {
    const grace = await api.signIn('grace@example.com');
    await grace.post('/auth/logout-everywhere').expect(204);
    const [over, phone] = [await api.signIn('grace@example.com'), await api.signIn('grace@example.com')];
    const { sid } = jwt.decode(over.token) as jwt.JwtPayload;
    await api.testDatabase.query(`UPDATE "Session" SET "expiresAt" = now() WHERE "id" = $1`, [sid]);
    await api.signIn('grace@example.com');
    await phone.post('/auth/logout-everywhere').expect(204);

    expect(listSecurityEvents().at(-1)).toMatchObject({
      securityEvent: 'signed_out_everywhere',
      sessions: 2,
    });
  });
});

describe('R09: while the encryption key is being rotated', () => {
  const NEW_KEY = Buffer.alloc(32, 7).toString('base64');

  test('sessions go on, also those that replicas open that write with the other key', async () => {
    const aware = await api.startReplica({ TOKEN_ENCRYPTION_KEY_PREVIOUS: NEW_KEY });
    const rotated = await api.startReplica({
      TOKEN_ENCRYPTION_KEY: NEW_KEY,
      TOKEN_ENCRYPTION_KEY_PREVIOUS: api.env.TOKEN_ENCRYPTION_KEY,
    });
    const ada = await api.signIn();
    const browser = openBrowser(rotated.url);
    await browser.signIn();

    await createClient(rotated.url, ada.token).get('/api/v1/me').expect(200);
    await createClient(aware.url, browser.cookies.get('session_token') ?? '')
      .get('/api/v1/emails')
      .expect(200);
  });

  test('and end once the key that signed them is removed', async () => {
    const ada = await api.signIn();
    const rotated = await api.startReplica({ TOKEN_ENCRYPTION_KEY: NEW_KEY });

    await createClient(rotated.url, ada.token).get('/api/v1/me').expect(401);
  });

  test('a session is revoked under either key', async () => {
    const rotated = await api.startReplica({
      TOKEN_ENCRYPTION_KEY: NEW_KEY,
      TOKEN_ENCRYPTION_KEY_PREVIOUS: api.env.TOKEN_ENCRYPTION_KEY,
    });
    const ada = await api.signIn();
    await createClient(rotated.url, ada.token).post('/auth/logout').expect(204);

    await ada.get('/api/v1/me').expect(401);
  });
});

const DAY_MS = 86_400_000;
const sessionIdOf = (token: string): string => (jwt.decode(token) as { sid: string }).sid;
/** Has a session begin and be used so many days earlier than it was. */
const letPass = (token: string, days: number) =>
  api.testDatabase.query(
    `UPDATE "Session" SET "createdAt" = "createdAt" - span, "lastUsedAt" = "lastUsedAt" - span,
       "expiresAt" = "expiresAt" - span
     FROM make_interval(secs => $2::float8) AS span WHERE "id" = $1`,
    [sessionIdOf(token), (days * DAY_MS) / 1_000],
  );
const daysLeft = async (token: string): Promise<number> => {
  const [row] = await api.testDatabase.query<{ days: number }>(
    `SELECT (extract(epoch FROM "expiresAt" - now()) / 86400)::float8 AS "days" FROM "Session" WHERE "id" = $1`,
    [sessionIdOf(token)],
  );
  return row?.days ?? 0;
};

let api: ApiHarness;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
