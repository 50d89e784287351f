import {
  API_ROUTES,
  CreatedTokenSchema,
  ListTokensResponseSchema,
  type RouteContract,
} from '@mailsweep/contracts';
import { type FaultProxy, openFaultProxy } from '@mailsweep/service-kit/testing';
import supertest from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type ApiClient, type ApiHarness, createProgram, startApi } from '../../testing/api-harness.ts';
import { createTokenSecret, hashTokenSecret } from './token-secret.ts';

const UNKNOWN_ID = '019a0000-0000-7000-8000-000000000000';
const DAY_MS = 24 * 60 * 60 * 1_000;

describe('making a token', () => {
  test('shows it once, and stores its hash alone', async () => {
    const { body } = await make({ name: '  Backup  ', scope: 'read' }).expect(200);

    expect(CreatedTokenSchema.parse(body)).toEqual(body);
    expect(body).toMatchObject({ name: 'Backup', scope: 'read', lastUsedAt: null });
    const { secret, ...token } = body;
    const { body: list } = await ada.get('/api/v1/me/tokens').expect(200);
    expect(ListTokensResponseSchema.parse(list)).toEqual(list);
    expect(list).toEqual({ total: 1, page: 1, perPage: 20, data: [token] });
    const [row] = await query<{ hash: Buffer; text: string }>(
      `SELECT *, t::text AS text FROM "PersonalToken" t`,
    );
    expect(row?.hash).toEqual(hashTokenSecret(secret));
    expect(row?.text).not.toContain(secret);
  });

  test('lets it live 90 days by default, a year at most', async () => {
    const daysOf = ({ createdAt, expiresAt }: Record<string, string>) =>
      (Date.parse(expiresAt ?? '') - Date.parse(createdAt ?? '')) / DAY_MS;

    expect(daysOf((await make({}).expect(200)).body)).toBe(90);
    expect(daysOf((await make({ expiresInDays: 365 }).expect(200)).body)).toBe(365);
    for (const expiresInDays of [0, 366, 1.5, '7', null]) {
      const { body } = await make({ expiresInDays }).expect(400);
      expect(body.errors[0].path).toBe('expiresInDays');
    }
  });

  test.each([
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ scope: 'write' }, 'scope'],
    [{ scope: undefined }, 'scope'],
    [{ scope: ['read'] }, 'scope'],
    [{ userId: UNKNOWN_ID }, 'userId'],
  ])('refuses %j and names the field', async (fields, path) => {
    const { body } = await make(fields).expect(400);
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
  });

  test('refuses more than 20 live ones, also at the same time', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 10 }, () => make({}).then(({ status }) => status)),
    );
    expect(statuses).toEqual(Array(10).fill(200));
    const rest = await Promise.all(
      Array.from({ length: 10 }, (_, at) => make({ name: `n${at}` }).then(({ status }) => status)),
    );
    expect(rest).toEqual(Array(10).fill(200));
    const { body } = await make({}).expect(409);
    expect(body).toMatchObject({
      code: 'too_many_tokens',
      detail: 'Nothing was done: a user may have 20 tokens.',
    });

    await query(`UPDATE "PersonalToken" SET "expiresAt" = now() WHERE "name" = 'n0'`);
    const again = await Promise.all(Array.from({ length: 5 }, () => make({}).then(({ status }) => status)));
    expect(again.toSorted()).toEqual([200, 409, 409, 409, 409]);
  });

  test('needs a recent sign-in', async () => {
    await query(`UPDATE "Session" SET "createdAt" = now() - interval '11 minutes'`);
    const { body } = await make({}).expect(401);

    expect(body.code).toBe('recent_sign_in_required');
    expect(await query('SELECT FROM "PersonalToken"')).toEqual([]);
  });
});

describe('a token', () => {
  test('is renamed and revoked, and each change is in the audit trail', async () => {
    const program = await createProgram(api.url, ada, 'read');
    const path = `/api/v1/me/tokens/${program.id}`;
    const { body } = await ada.patch(path, { name: 'Other' }).expect(200);
    expect(body).toMatchObject({ id: program.id, name: 'Other', scope: 'read' });
    await program.get('/api/v1/emails').expect(200);
    await ada.delete(path).expect(204);
    await program.get('/api/v1/emails').expect(401);
    await ada.delete(path).expect(404);
    await ada.patch(path, { name: 'Again' }).expect(404);

    const { body: audit } = await ada.get('/api/v1/me/audit?perPage=3').expect(200);
    const about = { changedTokenId: program.id };
    expect(audit.data).toMatchObject([
      { event: 'token_revoked', details: { ...about, tokenName: 'Other' }, sessionId: expect.any(String) },
      { event: 'token_renamed', details: { ...about, tokenName: 'Other' }, tokenId: null },
      { event: 'token_created', details: { ...about, tokenName: 'A read program', scope: 'read' } },
    ]);
    expect(JSON.stringify(audit)).not.toContain(program.secret);
  });

  test('acts for its user, and what it did names it', async () => {
    const program = await createProgram(api.url, ada, 'admin');
    const { body: me } = await program.get('/api/v1/me').expect(200);
    const [row] = await query<{ expiresAt: Date }>('SELECT "expiresAt" FROM "PersonalToken"');

    expect(me).toMatchObject({
      userId: ada.userId,
      sessionExpiresAt: row?.expiresAt.toISOString(),
      token: { id: program.id, name: 'A admin program', scope: 'admin' },
    });
    await program.patch('/api/v1/me/preferences', { watch: { enabled: true } }).expect(200);
    await program.patch('/api/v1/me/preferences', { watch: { enabled: false } }).expect(200);
    const { body: audit } = await ada.get('/api/v1/me/audit?perPage=1').expect(200);
    expect(audit.data).toMatchObject([{ event: 'watch_disabled', sessionId: null, tokenId: program.id }]);
  });

  test('has its last use stored once in five minutes at most', async () => {
    const program = await createProgram(api.url, ada, 'read');
    const readUse = async () => {
      const [row] = await query<{ ago: number | null }>(
        `SELECT extract(epoch FROM now() - "lastUsedAt")::float8 AS ago FROM "PersonalToken"`,
      );
      return row?.ago;
    };
    const usedAgo = (ago: string) =>
      query(`UPDATE "PersonalToken" SET "lastUsedAt" = now() - $1::interval`, [ago]);
    expect(await readUse()).toBe(null);
    await program.get('/api/v1/me').expect(200);
    await expect.poll(readUse).toBeLessThan(30);
    await usedAgo('4 minutes');
    await Promise.all(Array.from({ length: 5 }, () => program.get('/api/v1/me').expect(200)));
    expect(await readUse()).toBeGreaterThan(200);
    await usedAgo('6 minutes');
    await program.get('/api/v1/me').expect(200);
    await expect.poll(readUse).toBeLessThan(30);
  });

  test('ends with its date, with a sign-out everywhere and with the account, on every replica', async () => {
    const [expired, leaked] = [await createProgram(api.url, ada), await createProgram(api.url, ada)];
    const replica = await api.startReplica();
    const meOf = (authorization: string) => supertest(replica.url).get('/api/v1/me').set({ authorization });
    for (const { authorization } of [expired, leaked]) await meOf(authorization).expect(200);
    await query(`UPDATE "PersonalToken" SET "expiresAt" = now() WHERE "id" = $1`, [expired.id]);
    for (const get of [expired.get('/api/v1/me'), meOf(expired.authorization)]) await get.expect(401);
    expect((await ada.get('/api/v1/me/tokens').expect(200)).body.total).toBe(2);

    await ada.post('/auth/logout-everywhere').expect(204);
    for (const get of [leaked.get('/api/v1/me'), meOf(leaked.authorization)]) await get.expect(401);
    const grace = await api.signIn('grace@example.com');
    const last = await createProgram(api.url, grace);
    await meOf(last.authorization).expect(200);
    await grace.delete('/api/v1/me', { confirm: 'grace@example.com' }).expect(204);
    for (const get of [last.get('/api/v1/me'), meOf(last.authorization)]) await get.expect(401);
    ada = await api.signIn();
    const { body } = await ada.get('/api/v1/me/audit').expect(200);
    expect(body.data).toContainEqual(
      expect.objectContaining({
        event: 'signed_out_everywhere',
        details: { sessions: expect.any(Number), tokens: 1 },
      }),
    );
  });

  test('outlives the session that made it', async () => {
    const program = await createProgram(api.url, ada);
    await ada.post('/auth/logout').expect(204);
    await program.get('/api/v1/me').expect(200);
    ada = await api.signIn();
  });
});

describe('the scope of a token', () => {
  const SCOPES = ['read', 'act', 'admin'] as const;
  const routes = Object.entries<RouteContract>(API_ROUTES).filter(([, { access }]) => access !== 'public');

  test.each(SCOPES)('%s opens no route that needs more, and no route that takes a session', async (scope) => {
    const program = await createProgram(api.url, ada, scope);
    for (const [name, { method, path, access }] of routes) {
      const needsMore = SCOPES.indexOf(access as never) > SCOPES.indexOf(scope);
      const takesSession = access === 'session' || access === 'recent_sign_in';
      if (!needsMore && !takesSession) continue;
      const { status, body, headers } = await program[method](path.replaceAll(/\{\w+\}/g, UNKNOWN_ID));
      expect({ name, status, code: body.code }).toEqual({
        name,
        status: 403,
        code: takesSession ? 'session_required' : 'insufficient_scope',
      });
      if (takesSession) continue;
      expect(body.detail).toBe(`This needs a token with the scope ${access}.`);
      expect(headers['www-authenticate']).toBe(`Bearer error="insufficient_scope", scope="${access}"`);
    }
    for (const path of ['/auth/logout', '/auth/logout-everywhere']) {
      expect((await program.post(path).expect(403)).body.code).toBe('session_required');
    }
    await program.get('/api/v1/me').expect(200);
  });

  test('opens the routes that need it or less', async () => {
    const [read, act] = [await createProgram(api.url, ada, 'read'), await createProgram(api.url, ada, 'act')];
    const action = { emailIds: ['one'], action: 'mark_read' };
    await read.post('/api/v1/inbox/actions', action).expect(403);
    await act.get('/api/v1/emails').expect(200);
    const { body } = await act.post('/api/v1/inbox/actions', action).set('idempotency-key', 'k').expect(200);
    expect(body.execution).toBe('full');
    // The stored response is not for a token that may not act.
    await read.post('/api/v1/inbox/actions', action).set('idempotency-key', 'k').expect(403);
  });
});

describe('a token and a cookie', () => {
  test('never mix: a header alone decides, and a token counts nowhere else', async () => {
    const grace = await api.signIn('grace@example.com');
    const program = await createProgram(api.url, ada, 'read');
    const both = await supertest(api.url)
      .get('/api/v1/me')
      .set({ cookie: grace.cookie, authorization: program.authorization })
      .expect(200);
    expect(both.body.userId).toBe(ada.userId);
    expect(both.headers).not.toHaveProperty('set-cookie');
    await supertest(api.url)
      .post('/api/v1/inbox/actions')
      .set({ cookie: ada.cookie, authorization: program.authorization })
      .send({ emailIds: ['one'], action: 'archive' })
      .expect(403);
    await supertest(api.url)
      .get('/api/v1/me')
      .set({ cookie: ada.cookie, authorization: `Bearer ${createTokenSecret()}` })
      .expect(401);

    await supertest(api.url).get('/api/v1/me').set('cookie', `session_token=${program.secret}`).expect(401);
    await supertest(api.url)
      .get(`/api/v1/me?token=${program.secret}&access_token=${program.secret}`)
      .expect(401);
    await supertest(api.url).get('/api/v1/me').set('authorization', `Basic ${program.secret}`).expect(401);
    await supertest(api.url).get('/api/v1/me').auth(program.secret, '').expect(401);
  });
});

describe('a refusal', () => {
  test('costs no read for what can be no token, and one for what is dead however often it comes', async () => {
    let proxy: FaultProxy | undefined;
    const breakable = await startApi({
      routeDatabase: async (url) => {
        proxy = await openFaultProxy(url);
        return proxy.url;
      },
    });
    onTestFinished(async () => {
      await breakable.close();
      await proxy?.close();
    });
    const user = await breakable.signIn();
    const [live, revoked] = [
      await createProgram(breakable.url, user),
      await createProgram(breakable.url, user),
    ];
    await live.get('/api/v1/me').expect(200);
    await user.delete(`/api/v1/me/tokens/${revoked.id}`).expect(204);
    await revoked.get('/api/v1/me').expect(401);
    const forged = `${live.secret.slice(0, -1)}${live.secret.endsWith('0') ? '1' : '0'}`;
    proxy?.cut();

    await revoked.get('/api/v1/me').expect(401);
    await supertest(breakable.url).get('/api/v1/me').auth(forged, { type: 'bearer' }).expect(401);
    await live.get('/api/v1/me').expect(503);
    await supertest(breakable.url)
      .get('/api/v1/me')
      .auth(createTokenSecret(), { type: 'bearer' })
      .expect(503);
  });

  test('of many guesses comes before the database is asked; live tokens go on', async () => {
    const replica = await api.startReplica({}, { failuresPerMinute: 5 });
    const program = await createProgram(api.url, ada, 'read');
    const send = (secret: string) =>
      supertest(replica.url).get('/api/v1/me').auth(secret, { type: 'bearer' });
    await send(program.secret).expect(200);
    const statuses: number[] = [];
    for (let guess = 0; guess < 8; guess += 1) statuses.push((await send(createTokenSecret())).status);

    expect(statuses.filter((status) => status === 401).length).toBeGreaterThan(0);
    expect(statuses.slice(-3)).toEqual([429, 429, 429]);
    await send(program.secret).expect(200);
  });
});

describe('the limits of tokens', () => {
  test('R15: are their own: a program that uses them up does not lock out the browser', async () => {
    const replica = await api.startReplica({ API_RATE_LIMIT_PER_MINUTE: '3' });
    const [one, other] = [
      await createProgram(api.url, ada, 'read'),
      await createProgram(api.url, ada, 'read'),
    ];
    const get = (header: Record<string, string>) => supertest(replica.url).get('/api/v1/watch').set(header);
    for (const { authorization } of [one, other, one]) await get({ authorization }).expect(200);

    for (const { authorization } of [one, other]) {
      const { body } = await get({ authorization }).expect(429);
      expect(body.code).toBe('too_many_requests');
    }
    await get({ cookie: ada.cookie }).expect(200);
  });
});

test('no line of the log holds a token', async () => {
  const program = await createProgram(api.url, ada, 'read');
  await program.get('/api/v1/me').expect(200);
  await program.get('/api/v1/me/export').expect(403);
  await ada.delete(`/api/v1/me/tokens/${program.id}`).expect(204);
  await program.get(`/api/v1/me?token=${program.secret}`).expect(401);

  expect(api.logLines.join('')).toContain(`"changedTokenId":"${program.id}"`);
  expect(api.logLines.join('')).not.toContain('msw_');
});

const make = (fields: object) => ada.post('/api/v1/me/tokens', { name: 'Script', scope: 'act', ...fields });

const query = <Row extends object>(text: string, values: unknown[] = []) =>
  api.testDatabase.query<Row & Record<string, unknown>>(text, values);

let api: ApiHarness;
let ada: ApiClient;
beforeAll(async () => {
  api = await startApi({ mail: { 'ada@example.com': [{ id: 'one' }] } });
});
beforeEach(async () => {
  await query('DELETE FROM "PersonalToken"');
  ada = await api.signIn();
});
afterAll(() => api.close());
