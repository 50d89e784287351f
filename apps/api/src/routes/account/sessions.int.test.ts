import { ListAuditEntriesResponseSchema, ListSessionsResponseSchema } from '@mailsweep/contracts';
import { chooseAccount } from '@mailsweep/google-sandbox/testing/sign-in-pages';
import jwt from 'jsonwebtoken';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type ApiClient, type ApiHarness, createClient, startApi } from '../../testing/api-harness.ts';
import { openBrowser, readSetCookie } from '../../testing/browser.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';
const UNKNOWN_ID = '019a0000-0000-7000-8000-000000000000';

describe('GET /api/v1/me/sessions', () => {
  test('lists the live sessions of the user alone, the current one first', async () => {
    const phone = await api.signIn('ada@example.com', { userAgent: FIREFOX });
    const [expired, signedOut] = [await api.signIn(), await api.signIn()];
    await api.testDatabase.query('UPDATE "Session" SET "expiresAt" = now() WHERE "id" = $1', [
      sessionIdOf(expired),
    ]);
    await signedOut.post('/auth/logout').expect(204);
    const laptop = await api.signIn();
    await api.signIn('grace@example.com');
    const { body } = await phone.get('/api/v1/me/sessions').expect(200);

    expect(ListSessionsResponseSchema.parse(body)).toEqual(body);
    expect(body).toMatchObject({ total: 2, page: 1, perPage: 20 });
    expect(body.data).toEqual([
      {
        id: sessionIdOf(phone),
        browser: 'Firefox on Windows',
        current: true,
        createdAt: expect.any(String),
        lastUsedAt: expect.any(String),
      },
      expect.objectContaining({ id: sessionIdOf(laptop), browser: null, current: false }),
    ]);
  });

  test('comes in pages', async () => {
    const [first, second] = [await api.signIn(), await api.signIn()];
    const pageOf = async (page: number) =>
      (await second.get(`/api/v1/me/sessions?perPage=1&page=${page}`).expect(200)).body;

    expect((await pageOf(1)).data).toMatchObject([{ id: sessionIdOf(second) }]);
    expect(await pageOf(2)).toMatchObject({ total: 2, data: [{ id: sessionIdOf(first) }] });
    expect(await pageOf(3)).toMatchObject({ total: 2, data: [] });
  });

  test('knows the last use to the minute, and writes it once a minute at most', async () => {
    const ada = await api.signIn();
    const readLastUse = async () => {
      const [row] = await api.testDatabase.query<{ lastUsedAt: Date; isNow: boolean }>(
        `SELECT "lastUsedAt", "lastUsedAt" > now() - interval '30 s' AS "isNow" FROM "Session" WHERE "id" = $1`,
        [sessionIdOf(ada)],
      );
      return row;
    };
    const lastUsed = (ago: string) =>
      api.testDatabase.query(`UPDATE "Session" SET "lastUsedAt" = now() - $2::interval WHERE "id" = $1`, [
        sessionIdOf(ada),
        ago,
      ]);
    await lastUsed('50 s');
    const before = await readLastUse();
    await ada.get('/api/v1/me').expect(200);
    // A write would come before the one that the next request causes.
    const other = await api.signIn();
    await api.testDatabase.query(
      `UPDATE "Session" SET "lastUsedAt" = now() - interval '61 s' WHERE "id" = $1`,
      [sessionIdOf(other)],
    );
    await other.get('/api/v1/me').expect(200);
    await expect
      .poll(() =>
        api.testDatabase.query(
          `SELECT FROM "Session" WHERE "id" = $1 AND "lastUsedAt" > now() - interval '30 s'`,
          [sessionIdOf(other)],
        ),
      )
      .toHaveLength(1);
    expect(await readLastUse()).toEqual(before);

    await lastUsed('61 s');
    await Promise.all(Array.from({ length: 5 }, () => ada.get('/api/v1/me').expect(200)));
    await expect.poll(async () => (await readLastUse())?.isNow).toBe(true);
  });

  test('requests do not wait for that, and succeed although it fails', async () => {
    const ada = await api.signIn();
    await api.testDatabase.query(
      `UPDATE "Session" SET "lastUsedAt" = now() - interval '61 s' WHERE "id" = $1`,
      [sessionIdOf(ada)],
    );
    await api.testDatabase.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON "Session" EXECUTE FUNCTION refuse();`);
    onTestFinished(async () => void (await api.testDatabase.query('DROP FUNCTION refuse CASCADE')));

    await ada.get('/api/v1/me').expect(200);
    await expect.poll(() => api.logLines.join('')).toContain('the last use of a session could not be stored');
  });
});

describe('DELETE /api/v1/me/sessions/{id}', () => {
  test('R04: ends another session at once, on every replica, and no other', async () => {
    const [phone, laptop] = [await api.signIn(), await api.signIn()];
    const replica = await api.startReplica();
    const elsewhere = createClient(replica.url, laptop.token);
    await elsewhere.get('/api/v1/me').expect(200);

    const response = await phone
      .delete(`/api/v1/me/sessions/${sessionIdOf(laptop).toUpperCase()}`)
      .expect(204);

    expect(readSetCookie(response, 'session_token')).toBeUndefined();
    await elsewhere.get('/api/v1/me').expect(401);
    await laptop.get('/api/v1/me').expect(401);
    await phone.get('/api/v1/me').expect(200);
    expect(lastSecurityEvent()).toMatchObject({
      securityEvent: 'session_revoked',
      sessionId: sessionIdOf(phone),
      revokedSessionId: sessionIdOf(laptop),
    });
  });

  test('signs out when it is the current one', async () => {
    const ada = await api.signIn();
    const response = await ada.delete(`/api/v1/me/sessions/${sessionIdOf(ada)}`).expect(204);

    expect(readSetCookie(response, 'session_token')).toMatchObject({ value: '', path: '/', httponly: '' });
    await ada.get('/api/v1/me').expect(401);
    expect(lastSecurityEvent()).toMatchObject({ securityEvent: 'signed_out' });
  });

  test('knows neither unknown nor foreign nor ended sessions: 404', async () => {
    const [ada, grace, ended] = [
      await api.signIn(),
      await api.signIn('grace@example.com'),
      await api.signIn(),
    ];
    await ended.post('/auth/logout').expect(204);
    for (const id of [UNKNOWN_ID, sessionIdOf(grace), sessionIdOf(ended)]) {
      expect((await ada.delete(`/api/v1/me/sessions/${id}`).expect(404)).body.code).toBe('not_found');
    }
    await ada.delete('/api/v1/me/sessions/all').expect(400);
    await grace.get('/api/v1/me').expect(200);
  });

  test('is refused to other sites', async () => {
    const [ada, phone] = [await api.signIn(), await api.signIn()];
    await ada
      .delete(`/api/v1/me/sessions/${sessionIdOf(phone)}`)
      .set('origin', 'https://evil.example')
      .expect(403);
    await phone.get('/api/v1/me').expect(200);
  });
});

describe('GET /api/v1/me/audit', () => {
  test('lists what happened to the account, newest first, with client and session', async () => {
    const ada = await api.signIn('ada@example.com', { userAgent: FIREFOX });
    const [phone, laptop] = [await api.signIn(), await api.signIn()];
    await refuseSignIn('ada@example.com');
    await ada.delete(`/api/v1/me/sessions/${sessionIdOf(phone)}`).expect(204);
    await laptop.post('/auth/logout').expect(204);
    await ada.get('/api/v1/me/export').set('user-agent', FIREFOX).expect(200);
    const { body } = await ada.get('/api/v1/me/audit').expect(200);

    expect(ListAuditEntriesResponseSchema.parse(body)).toEqual(body);
    const entry = (event: string, session: ApiClient | null, more: object = {}) => ({
      id: expect.any(String),
      at: expect.stringMatching(/Z$/),
      event,
      sessionId: session && sessionIdOf(session),
      tokenId: null,
      address: '127.0.0.1',
      browser: null,
      details: {},
      ...more,
    });
    expect(body).toEqual({
      total: 7,
      page: 1,
      perPage: 20,
      data: [
        entry('data_exported', ada, { browser: 'Firefox on Windows' }),
        entry('signed_out', laptop),
        entry('session_revoked', ada, { details: { revokedSessionId: sessionIdOf(phone) } }),
        entry('sign_in_refused', null, { details: { code: 'missing_scope' } }),
        entry('signed_in', laptop),
        entry('signed_in', phone),
        entry('signed_in', ada, { browser: 'Firefox on Windows' }),
      ],
    });
  });

  test('says that a browser’s session ended when another user signed in there', async () => {
    const browser = openBrowser(api.url);
    await browser.signIn();
    const ended = createClient(api.url, browser.cookies.get('session_token') ?? '');
    await browser.signIn('grace@example.com');
    await ended.get('/api/v1/me').expect(401);

    const ada = await api.signIn();
    const { body } = await ada.get('/api/v1/me/audit?perPage=2').expect(200);
    expect(body.data).toMatchObject([
      { event: 'signed_in', sessionId: sessionIdOf(ada) },
      { event: 'signed_out', sessionId: sessionIdOf(ended) },
    ]);
  });

  test('comes in pages, and holds nothing of others', async () => {
    const ada = await api.signIn();
    await ada.post('/auth/logout-everywhere').expect(204);
    const [again, grace] = [await api.signIn(), await api.signIn('grace@example.com')];
    const { body } = await again.get('/api/v1/me/audit?page=2&perPage=1').expect(200);

    expect(body).toMatchObject({
      total: 3,
      page: 2,
      data: [{ event: 'signed_out_everywhere', details: { sessions: 1 } }],
    });
    expect((await grace.get('/api/v1/me/audit').expect(200)).body.total).toBe(1);
  });

  test('knows IPv6 clients by their network', async () => {
    const replica = await api.startReplica({ TRUST_PROXY_HOPS: '1' });
    const browser = openBrowser(replica.url, { 'x-forwarded-for': '2001:db8:1:2:3:4:5:6' });
    await browser.signIn();
    const ada = createClient(replica.url, browser.cookies.get('session_token') ?? '');

    const { body } = await ada.get('/api/v1/me/audit').expect(200);
    expect(body.data).toMatchObject([{ event: 'signed_in', address: '2001:db8:1:2::/64' }]);
  });

  test('is part of the export', async () => {
    const ada = await api.signIn();
    const { body } = await ada.get('/api/v1/me/export').expect(200);
    expect(body.data.AuditEntry.map(({ event }: { event: string }) => event)).toEqual([
      'signed_in',
      'data_exported',
    ]);
  });
});

describe('while the audit trail cannot be written', () => {
  test('no user signs in or out, and nothing is exported, without an entry', async () => {
    const ada = await api.signIn();
    await refuseEntries();

    const browser = openBrowser(api.url);
    await browser.signIn();
    expect(browser.cookies.has('session_token')).toBe(false);
    await ada.post('/auth/logout').expect(500);
    await ada.post('/auth/logout-everywhere').expect(500);
    const response = await ada.get('/api/v1/me/export').expect(500);
    expect(response.text).not.toContain('ada@example.com');
    await ada.get('/api/v1/me').expect(200);
  });

  test('a refused sign-in still says why, and the log says that the entry is missing', async () => {
    await api.signIn();
    await refuseEntries();
    expect(await refuseSignIn('ada@example.com')).toContain('error=missing_scope');

    expect(api.logLines.join('')).toContain('a refused sign-in could not be written to the audit trail');
  });

  const refuseEntries = async () => {
    await api.testDatabase.query('ALTER TABLE "AuditEntry" RENAME TO "Elsewhere"');
    onTestFinished(
      async () => void (await api.testDatabase.query('ALTER TABLE "Elsewhere" RENAME TO "AuditEntry"')),
    );
  };
});

/** A sign-in of someone who does not grant access to Gmail; returns where the browser ends up. */
const refuseSignIn = async (email: string): Promise<string | undefined> => {
  const browser = openBrowser(api.url);
  const url = await browser.begin();
  url.searchParams.set('scope', 'openid email profile');
  const response = await browser.complete(await chooseAccount(url.href, email));
  return response.headers.location;
};

const sessionIdOf = ({ token }: ApiClient | { token: string }): string =>
  (jwt.decode(token) as jwt.JwtPayload).sid;

const lastSecurityEvent = () =>
  api.logLines
    .map((line) => JSON.parse(line))
    .filter((line) => line.securityEvent !== undefined)
    .at(-1);

let api: ApiHarness;
beforeAll(async () => {
  api = await startApi();
});
afterEach(() => api.testDatabase.query('TRUNCATE "User" CASCADE'));
afterAll(() => api.close());
