import { createECDH, randomBytes } from 'node:crypto';
import type supertest from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../testing/api-harness.ts';
import { createOAuthProgram } from '../testing/oauth-program.ts';

/** How a session ends; each is given the session and another one of the same user. */
const ENDS: Record<string, (session: ApiClient, other: ApiClient) => Promise<unknown>> = {
  'signs out': (session) => session.post('/auth/logout').expect(204),
  'signs out everywhere': (session) => session.post('/auth/logout-everywhere').expect(204),
  'signs out everywhere elsewhere': (_session, other) => other.post('/auth/logout-everywhere').expect(204),
  'ends it from another device': async (session, other) => {
    const { body } = await session.get('/api/v1/me/sessions').expect(200);
    const { id } = body.data.find(({ current }: { current: boolean }) => current);
    await other.delete(`/api/v1/me/sessions/${id}`).expect(204);
  },
  'does not use it': () => query('UPDATE "Session" SET "expiresAt" = now()'),
};

describe('a code', () => {
  test.each(Object.entries(ENDS))('ends with the session that allowed it: the user %s', async (_how, end) => {
    const [session, other] = [await api.signIn(), await api.signIn()];
    const program = createOAuthProgram(api.url);
    const code = await program.getCode(session);
    await end(session, other);
    expect((await program.exchange(code).expect(400)).body.error).toBe('invalid_grant');
    expect(await listTokens()).toEqual([]);
  });

  test('outlives other sessions, and sign-outs of other users', async () => {
    const [session, other, grace] = [
      await api.signIn(),
      await api.signIn(),
      await api.signIn('grace@example.com'),
    ];
    const program = createOAuthProgram(api.url);
    const code = await program.getCode(session);
    await other.post('/auth/logout').expect(204);
    await grace.post('/auth/logout-everywhere').expect(204);
    await program.exchange(code).expect(200);
  });
});

test('a request that a user has been shown ends when they sign out everywhere', async () => {
  const session = await api.signIn();
  const path = await createOAuthProgram(api.url).ask(session);
  await session.post('/auth/logout-everywhere').expect(204);
  const again = await api.signIn();
  await again.get(path).expect(404);
  await again.post(`${path}/allow`, {}).expect(404);
});

describe('a request that arrives while the user signs out everywhere', () => {
  const createToken = (session: ApiClient) =>
    session.post('/api/v1/me/tokens', { name: 'Script', scope: 'read' });
  const subscribe = (session: ApiClient) => {
    const pair = createECDH('prime256v1');
    pair.generateKeys();
    return session.post('/api/v1/push/subscriptions', {
      endpoint: 'https://push.example.com/send/one',
      keys: { p256dh: pair.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') },
    });
  };
  const exchange = async (session: ApiClient) => {
    const program = createOAuthProgram(api.url);
    const code = await program.getCode(session);
    return () => program.exchange(code);
  };

  test.each<[string, (session: ApiClient) => Promise<() => supertest.Test>, number]>([
    ['makes no token', async (session) => () => createToken(session), 401],
    ['subscribes no browser', async (session) => () => subscribe(session), 401],
    ['exchanges no code', exchange, 400],
  ])('%s after it', async (_what, prepare, status) => {
    const session = await api.signIn();
    const send = await prepare(session);
    const statuses = await whileLocked(session, [() => session.post('/auth/logout-everywhere'), send]);
    expect(statuses).toEqual([204, status]);
    expect(await listTokens()).toEqual([]);
    expect(await query('SELECT FROM "PushSubscription"')).toEqual([]);
  });

  test.each<[string, (session: ApiClient) => Promise<() => supertest.Test>]>([
    ['a token', async (session) => () => createToken(session)],
    ['a browser', async (session) => () => subscribe(session)],
    ['a code', exchange],
  ])('has its success undone: %s', async (_what, prepare) => {
    const session = await api.signIn();
    const send = await prepare(session);
    const statuses = await whileLocked(session, [send, () => session.post('/auth/logout-everywhere')]);
    expect(statuses).toEqual([200, 204]);
    expect(await listTokens()).toEqual([]);
    expect(await query('SELECT FROM "PushSubscription"')).toEqual([]);
  });
});

/** Sends requests that all wait for their user, one after the other; returns how they end. */
const whileLocked = async (user: ApiClient, requests: (() => supertest.Test)[]): Promise<number[]> => {
  const { database } = api.testDatabase;
  const statuses = await database.$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT FROM "User" WHERE "id" = ${user.userId}::uuid FOR UPDATE`;
      const sent: Promise<number>[] = [];
      for (const request of requests) {
        sent.push(request().then(({ status }) => status));
        await expect.poll(countWaiting).toBe(sent.length);
      }
      return { sent };
    },
    { timeout: 30_000 },
  );
  return Promise.all(statuses.sent);
};

const countWaiting = async (): Promise<number> =>
  (
    await query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    )
  ).length;

const query = (sql: string) => api.testDatabase.query(sql);
const listTokens = () => query('SELECT FROM "PersonalToken"');

let api: ApiHarness;
beforeAll(async () => {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  api = await startApi({ env: { VAPID_PUBLIC_KEY: pair.getPublicKey('base64url') } });
});
beforeEach(async () => {
  await query('DELETE FROM "PersonalToken"');
  await query('DELETE FROM "PushSubscription"');
});
afterAll(() => api.close());
