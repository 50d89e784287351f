import { API_ROUTES, type RouteContract } from '@mailsweep/contracts';
import { chooseAccount } from '@mailsweep/google-sandbox/testing/sign-in-pages';
import { type FaultProxy, openFaultProxy } from '@mailsweep/service-kit/testing';
import supertest from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type ApiClient,
  type ApiHarness,
  createProgram,
  FRONTEND_ORIGIN,
  startApi,
} from './testing/api-harness.ts';
import { openBrowser } from './testing/browser.ts';
import { createOAuthProgram } from './testing/oauth-program.ts';

const READING_PATHS = Object.values<RouteContract>(API_ROUTES)
  .filter((route) => route.access !== 'public' && route.method === 'get')
  .map((route) => route.path);

/** As long as many requests at once may take on a busy machine; a query that nobody cuts off takes longer. */
const CROWD_MS = 6_000;

describe('R25: while Postgres is down', () => {
  test('the API lives, and says that its database does not', async () => {
    proxy.cut();
    await supertest(api.url).get('/api/v1/health').expect(200, { status: 'ok' });

    const response = await timed(supertest(api.url).get('/api/v1/health/db'));
    expect(response.status).toBe(503);
    expect(response.body).toMatchObject({ code: 'database_unavailable', title: 'Service unavailable' });
  });

  test('every other route gets 503, with a time to come back, and without naming anything inside', async () => {
    proxy.cut();
    const responses = await Promise.all([
      ...READING_PATHS.map((path) => timed(ada.get(path))),
      timed(ada.post('/api/v1/inbox/actions', { emailIds: ['one'], action: 'delete' })),
      timed(ada.post('/api/v1/notifications/confirm', { emailIds: ['one'], action: 'accept' })),
      timed(ada.post('/auth/logout')),
    ]);

    for (const response of responses) {
      expect(response.status).toBe(503);
      expect(response.body.code).toBe('database_unavailable');
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
      expect(JSON.stringify(response.body)).not.toMatch(/prisma|postgres|127\.0\.0\.1/i);
    }
    expect(await api.google.labelsOf('one')).toContain('INBOX');
  });

  test('a user who signs in is sent back to the front end with a reason', async () => {
    proxy.cut();
    const response = await openBrowser(api.url).get('/auth/idp');

    expect(response.headers.location).toBe(`${FRONTEND_ORIGIN}/auth/callback?error=temporarily_unavailable`);
  });

  test('it is back as soon as Postgres is, without a restart', async () => {
    proxy.cut();
    await ada.get('/api/v1/me').expect(503);
    proxy.heal();

    await ada.get('/api/v1/me').expect(200);
    await expect
      .poll(async () => (await supertest(api.url).get('/api/v1/health/db')).body, { timeout: 5_000 })
      .toEqual({ db: 'ok' });
    await ada.post('/api/v1/inbox/actions', { emailIds: ['one'], action: 'mark_unread' }).expect(200);
  });
});

describe('R25: while Postgres neither responds nor disconnects', () => {
  test('requests get 503 within three seconds all the same, and served again afterwards', async () => {
    proxy.freeze();
    const responses = await Promise.all([
      timed(ada.get('/api/v1/me')),
      timed(ada.get('/api/v1/emails')),
      timed(ada.post('/api/v1/inbox/actions', { emailIds: ['one'], action: 'delete' })),
    ]);
    responses.push(
      ...(await Promise.all([
        ...READING_PATHS.map((path) => timed(ada.get(path), CROWD_MS)),
        timed(ada.post('/api/v1/notifications/confirm', { emailIds: ['one'], action: 'accept' }), CROWD_MS),
      ])),
    );
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['503 database_unavailable']),
    );
    expect(await api.google.labelsOf('one')).toContain('INBOX');
    // By now the result from before, which is reused for a second, has gone.
    expect((await timed(supertest(api.url).get('/api/v1/health/db'))).status).toBe(503);

    proxy.heal();
    await expect.poll(async () => (await ada.get('/api/v1/me')).status, { timeout: 5_000 }).toBe(200);
  });
});

describe('R25: while all connections are taken', () => {
  test('thirty requests, which are more than connections, get 503, and none hangs', async () => {
    const lock = await lockTables('User', 'Session');
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => timed(ada.get('/api/v1/me'), CROWD_MS)),
    );
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['503 database_unavailable']),
    );

    await lock.release();
    await expect.poll(async () => (await ada.get('/api/v1/me')).status, { timeout: 5_000 }).toBe(200);
  });

  test('a request gets 503 within three seconds, never left hanging', async () => {
    const narrow = await api.startReplica({}, { databasePoolSize: 1 });
    const lock = await lockTables('User');
    const waiting = fetch(`${narrow.url}/api/v1/me`, { headers: { cookie: ada.cookie } });
    await expect.poll(countWaiting).toBe(1);

    const response = await timed(supertest(narrow.url).get('/api/v1/me').set('cookie', ada.cookie));
    expect(response.status).toBe(503);
    expect(response.body.code).toBe('database_unavailable');

    await lock.release();
    expect((await waiting).status).toBe(200);
    await supertest(narrow.url).get('/api/v1/me').set('cookie', ada.cookie).expect(200);
  });
});

describe('R25: while Postgres takes no writes, as a standby does', () => {
  test('nobody signs in, and everybody is told so, in the form of each endpoint', async () => {
    const browser = openBrowser(api.url);
    const provider = await browser.begin();
    const callback = await chooseAccount(provider.href, 'ada@example.com');
    const program = createOAuthProgram(api.url);
    const code = await program.getCode(ada);
    const { body: token } = await program.exchange(await program.getCode(ada)).expect(200);
    await takeNoWrites();

    const unavailable = `${FRONTEND_ORIGIN}/auth/callback?error=temporarily_unavailable`;
    expect((await openBrowser(api.url).get('/auth/idp')).headers.location).toBe(unavailable);
    expect((await browser.complete(callback)).headers.location).toBe(unavailable);
    for (const request of [program.exchange(code), program.revoke(token.access_token)]) {
      const response = await request.expect(503);
      expect(response.body).toMatchObject({ error: 'temporarily_unavailable' });
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    }
    await expect(program.open()).rejects.toThrow('503');
    await ada.post('/auth/logout').expect(503);
    await ada.get('/api/v1/me').expect(200);

    await takeWrites();
    await program.exchange(code).expect(200);
  });

  test('an assistant hears that it has to come back', async () => {
    const { secret } = await createProgram(api.url, ada, 'act');
    const send = { authorization: `Bearer ${secret}`, accept: 'application/json, text/event-stream' };
    const callTool = (name: string, args: object) =>
      supertest(api.url)
        .post('/mcp')
        .set(send)
        .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
    await takeNoWrites();
    const response = await callTool('plan_cleanup', {
      action: 'archive',
      selection: { type: 'filter', everything: true },
    });
    expect(response.status).toBe(200);
    expect(response.text).toContain('"isError":true');
    expect(response.text).toMatch(/try again/i);
  });

  test('the operators’ port says so', async () => {
    await takeNoWrites();
    const { body } = await supertest(api.operationsUrl).get('/ready').expect(503);
    expect(body).toEqual({ status: 'not_ready', failing: ['database', 'queue'] });
  });

  afterEach(() => takeWrites());

  const change = (words: string) =>
    api.testDatabase.query(`DO $$ BEGIN
      EXECUTE format('ALTER ROLE mailsweep_service IN DATABASE %I ${words}', current_database());
      PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND usename = 'mailsweep_service';
    END $$`);
  const expectHealth = async (status: number) =>
    expect
      .poll(async () => (await supertest(api.url).get('/api/v1/health/db')).status, { timeout: 10_000 })
      .toBe(status);
  const takeNoWrites = async () => {
    await change('SET default_transaction_read_only = on');
    await expectHealth(503);
  };
  const takeWrites = async () => {
    await change('RESET default_transaction_read_only');
    await expectHealth(200);
  };
});

/** Fails unless the response comes within the time that R25 allows. */
const timed = async (request: supertest.Test, withinMs = 3_000): Promise<supertest.Response> => {
  const startedMs = performance.now();
  const response = await request;
  expect(performance.now() - startedMs).toBeLessThan(withinMs);
  return response;
};

const countWaiting = async () =>
  (
    await api.testDatabase.query(
      `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    )
  ).length;

/** Keeps everybody else from reading tables. */
const lockTables = async (...names: string[]) => {
  const released = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holding = api.testDatabase.database.$transaction(
    async (tx) => {
      await tx.$executeRawUnsafe(`LOCK TABLE ${names.map((name) => `"${name}"`).join(', ')}`);
      locked.resolve();
      await released.promise;
    },
    { timeout: 10_000 },
  );
  await locked.promise;
  return {
    release: async () => {
      released.resolve();
      await holding;
    },
  };
};

let proxy: FaultProxy;
let api: ApiHarness;
let ada: ApiClient;
beforeAll(async () => {
  api = await startApi({
    mail: { 'ada@example.com': [{ id: 'one' }] },
    routeDatabase: async (databaseUrl) => {
      proxy = await openFaultProxy(databaseUrl);
      return proxy.url;
    },
  });
  ada = await api.signIn();
});
afterEach(() => proxy.heal());
afterAll(async () => {
  await api.close();
  await proxy.close();
});
