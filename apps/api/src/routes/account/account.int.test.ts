import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { ListOutgoingCallsResponseSchema, MeSchema, PersonalDataExportSchema } from '@mailsweep/contracts';
import { eventually } from '@mailsweep/event-bus/testing';
import supertest from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type ApiClient,
  type ApiHarness,
  createClient,
  FRONTEND_ORIGIN,
  startApi,
} from '../../testing/api-harness.ts';

describe('GET /api/v1/me', () => {
  test('shows who is signed in, until when, and that the mailbox can be reached', async () => {
    const ada = await api.signIn();
    const { body } = await ada.get('/api/v1/me').expect(200);

    expect(body).toEqual({
      userId: ada.userId,
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      connection: 'active',
      provider: { key: 'gmail', name: 'Google', kind: 'gmail', offersReadOnly: true, signIn: 'redirect' },
      mailbox: {
        name: 'Gmail',
        categories: ['promotions', 'social', 'updates', 'forums', 'primary'],
        hasQuotaUnits: true,
        trashDays: 30,
        emailUrl: 'https://mail.google.com/mail/?authuser={address}#all/{emailId}',
        canChange: true,
      },
      sessionExpiresAt: expect.stringMatching(/Z$/),
    });
    expect(MeSchema.parse(body)).toEqual(body);
  });

  test('says when the user has to sign in again to reach the mailbox', async () => {
    const ada = await api.signIn();
    await api.testDatabase.query('DELETE FROM "ProviderConnection"');

    expect((await ada.get('/api/v1/me').expect(200)).body.connection).toBe('reauth_required');
    expect((await ada.get('/api/v1/emails').expect(401)).body.code).toBe('reauth_required');
  });

  test('comes whole, whatever the client says it has kept', async () => {
    const ada = await api.signIn();
    const { body } = await ada.get('/api/v1/me').set('if-none-match', '*').expect(200);

    expect(MeSchema.parse(body).userId).toBe(ada.userId);
  });

  test('a deleted user gets 401', async () => {
    const ada = await api.signIn();
    await api.testDatabase.query('DELETE FROM "User"');

    expect((await ada.get('/api/v1/me').expect(401)).body.code).toBe('unauthorized');
  });
});

describe('GET /api/v1/me/outgoing-calls', () => {
  test('names every host that was called for the user, why, and with which fields of emails', async () => {
    const ada = await api.signIn();
    const before = await ada.get('/api/v1/me/outgoing-calls').expect(200);
    expect(before.body).toMatchObject({ since: null, user: [], unsubscribeHosts: [] });

    await ada.get('/api/v1/suggestions').expect(200);
    const { body } = await ada.get('/api/v1/me/outgoing-calls').expect(200);

    const list = ListOutgoingCallsResponseSchema.parse(body);
    expect(list.user.map(({ host, purpose, emailFields }) => ({ host, purpose, emailFields }))).toEqual(
      expect.arrayContaining([
        {
          host: new URL(api.ml.url).host,
          purpose: 'classification',
          emailFields: ['id', 'from', 'subject', 'date', 'isRead', 'category', 'attachmentSizeMb'],
        },
        { host: new URL(api.google.url).host, purpose: 'mailbox', emailFields: [] },
      ]),
    );
    expect(list.user).toHaveLength(2);
    const classification = list.user.find(({ purpose }) => purpose === 'classification');
    expect(classification?.total.calls).toBe(1);
    expect(classification?.total.bytesSent).toBeGreaterThan(300);
    expect(classification?.last30Days).toEqual(classification?.total);
    // The sign-in, whose user was not known yet.
    expect(list.installation).toContainEqual(expect.objectContaining({ purpose: 'sign_in' }));
  });

  test('adds up days, of which only the last 30 are recent, and shows no other user’s', async () => {
    const [ada, grace] = [await api.signIn(), await api.signIn('grace@example.com')];
    await api.testDatabase.query(
      `INSERT INTO "OutgoingCall" ("userId", "day", "peer", "host", "calls", "bytesSent", "bytesReceived", "lastAt")
       SELECT "id", (now() AT TIME ZONE 'UTC')::date - days, 'push', 'push.example.com', 2, 10, 20, now() - make_interval(days => days)
       FROM "User", unnest(ARRAY[0, 29, 30, 400]) AS days WHERE "id" = $1`,
      [ada.userId],
    );
    const { body } = await ada.get('/api/v1/me/outgoing-calls').expect(200);
    expect(body.user).toEqual([
      expect.objectContaining({
        host: 'push.example.com',
        purpose: 'push',
        total: { calls: 8, bytesSent: 40, bytesReceived: 80 },
        last30Days: { calls: 4, bytesSent: 20, bytesReceived: 40 },
      }),
    ]);
    expect((await grace.get('/api/v1/me/outgoing-calls').expect(200)).body.user).toEqual([]);
  });
});

describe('GET /api/v1/me/export', () => {
  test('is a download of everything stored, without any token', async () => {
    const ada = await api.signIn();
    await ada.get('/api/v1/suggestions').expect(200);
    await ada.post('/api/v1/inbox/actions', { emailIds: ['one'], action: 'archive' }).expect(200);
    const reply = await ada.get('/api/v1/me/export').expect(200);

    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="mailsweep-export.json"',
      'cache-control': 'no-store',
    });
    const document = PersonalDataExportSchema.parse(reply.body);
    expect(document.userId).toBe(ada.userId);
    expect(document.data.User).toEqual([expect.objectContaining({ email: 'ada@example.com' })]);
    expect(document.data.ActionHistory).toEqual([
      expect.objectContaining({ emailId: 'one', action: 'archive' }),
    ]);
    const [stored] = await api.testDatabase.query<{ encryptedRefreshToken: string }>(
      'SELECT * FROM "ProviderConnection" WHERE "userId" = $1',
      [ada.userId],
    );
    expect(reply.text).not.toContain(stored?.encryptedRefreshToken ?? 'missing');
    expect(reply.text).not.toMatch(/encrypted|session_token/i);
  });

  /** Begins an export of more than the connection holds while nobody reads. */
  const beginLargeExport = async (user: ApiClient) => {
    await api.testDatabase.query(
      `INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details", "batchId")
       SELECT gen_random_uuid(), $1::uuid, 'one', 'archive', now(), jsonb_build_object('padding', repeat('x', 1000)),
  gen_random_uuid()
       FROM generate_series(1, 20000)`,
      [user.userId],
    );
    const request = get(`${api.url}/api/v1/me/export`, {
      headers: { authorization: `Bearer ${user.token}` },
    });
    const [reply] = (await once(request, 'response')) as [IncomingMessage];
    const requestId = reply.headers['x-request-id'] as string;
    return { request, reply, linesOf: () => api.logLines.filter((line) => line.includes(requestId)) };
  };

  test('is cut short when the user signs out everywhere', async () => {
    const ada = await api.signIn();
    const { reply, linesOf } = await beginLargeExport(ada);
    await ada.post('/auth/logout-everywhere').expect(204);
    await expect(buffer(reply).then(({ length }) => length)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(linesOf().join('')).not.toContain('"level":50');
  });

  test('is no error when its reader gives up', async () => {
    const ada = await api.signIn();
    const { request, linesOf } = await beginLargeExport(ada);
    request.destroy();

    await eventually(() => expect(linesOf().join('')).toContain('request aborted'));
    // Takes longer than the page that was being read for the one who left.
    const { body } = await ada.get('/api/v1/me/export').expect(200);
    const [stored] = await api.testDatabase.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM "ActionHistory" WHERE "userId" = $1',
      [ada.userId],
    );
    expect(PersonalDataExportSchema.parse(body).data.ActionHistory).toHaveLength(stored?.count ?? 0);
    expect(linesOf().join('')).not.toContain('"level":50');
  });
});

describe('export and erasure long after the sign-in', () => {
  test.each([
    ['refused after more than ten minutes', undefined, '601 s', 401],
    ['taken up to then', undefined, '590 s', 200],
    ['refused after more than another limit', 60, '61 min', 401],
    ['taken up to that', 60, '59 min', 200],
  ])('are %s, by the database’s clock', async (_case, minutes, age, status) => {
    const { url } = await api.startReplica({}, minutes ? { recentSignInMinutes: minutes } : {});
    const ada = createClient(url, (await api.signIn()).token);
    await signedInAgo(age);

    const response = await ada.get('/api/v1/me/export').expect(status);
    await ada.delete('/api/v1/me', { confirm: 'ada@example.com' }).expect(status === 200 ? 204 : 401);
    if (status === 200) return;
    expect(response.body).toMatchObject({ status: 401, code: 'recent_sign_in_required' });
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(response.headers['www-authenticate']).toMatch(
      /^Bearer error="insufficient_user_authentication", .*max_age="(600|3600)"$/,
    );
    // Nothing is done, and the session goes on.
    await ada.get('/api/v1/me').expect(200);
    expect((await ada.get('/api/v1/me/audit').expect(200)).body.data).toMatchObject([{ event: 'signed_in' }]);
    expect(api.google.countCalls(/^\/oauth2\/revoke/)).toBe(0);
  });

  test('are taken again after a new sign-in in the same browser', async () => {
    await api.signIn();
    await signedInAgo('1 h');
    const again = await api.signIn();

    await again.get('/api/v1/me/export').expect(200);
    await again.delete('/api/v1/me', { confirm: 'ada@example.com' }).expect(204);
  });

  const signedInAgo = (age: string) =>
    api.testDatabase.query(`UPDATE "Session" SET "createdAt" = now() - $1::interval`, [age]);
});

describe('DELETE /api/v1/me', () => {
  const dumpAll = async (userId: string): Promise<string> => {
    const tables = ['User', 'ProviderConnection', 'Session', 'AuditEntry', 'EmailSuggestion', 'ActionIntent'];
    const rows = await Promise.all(
      [...tables, 'ActionHistory', 'NotificationEvent', 'OutboxEvent'].map((table) =>
        api.testDatabase.query<{ text: string }>(
          `SELECT row::text AS text FROM "${table}" AS row WHERE row::text LIKE '%' || $1 || '%'`,
          [userId],
        ),
      ),
    );
    return rows.flatMap((found) => found.map(({ text }) => text)).join('\n');
  };

  test('erases the user, gives the grant back, and ends all their sessions on every replica', async () => {
    const [ada, phone] = [await api.signIn(), await api.signIn()];
    const grace = await api.signIn('grace@example.com');
    await ada.post('/api/v1/inbox/actions', { emailIds: ['one'], action: 'mark_unread' }).expect(200);
    await grace.get('/api/v1/suggestions').expect(200);
    const replica = await api.startReplica();
    const clients = [ada, phone, ...[ada, phone].map(({ token }) => createClient(replica.url, token))];
    for (const client of clients) await client.get('/api/v1/notifications/events').expect(200);
    const before = await dumpAll(grace.userId);
    api.google.heal();

    await ada.delete('/api/v1/me', { confirm: ' Ada@Example.com ' }).expect(204);

    const listStatuses = () =>
      Promise.all(clients.map(async (client) => (await client.get('/api/v1/notifications/events')).status));
    await expect.poll(listStatuses, { timeout: 1_000, interval: 50 }).toEqual([401, 401, 401, 401]);
    expect(await dumpAll(ada.userId)).toBe('');
    expect(await dumpAll(grace.userId)).toBe(before);
    await grace.get('/api/v1/emails').expect(200);
    expect(api.google.countCalls(/^\/oauth2\/revoke/)).toBe(1);
    const line = api.logLines
      .map((text) => JSON.parse(text))
      .findLast((entry) => entry.securityEvent === 'data_erased');
    expect(line).toMatchObject({ userId: ada.userId, isGrantRevoked: true, isQueueCleared: true });
  });

  test('leaves the user free to come back as a new user', async () => {
    const ada = await api.signIn();
    await ada.delete('/api/v1/me', { confirm: 'ada@example.com' }).expect(204);
    const again = await api.signIn();

    expect(again.userId).not.toBe(ada.userId);
    expect((await again.get('/api/v1/notifications/history').expect(200)).body.total).toBe(0);
    await again.post('/api/v1/inbox/actions', { emailIds: ['one'], action: 'mark_unread' }).expect(200);
    expect((await again.get('/api/v1/notifications/history').expect(200)).body.total).toBe(1);
  });

  test('goes through although the provider does not take the grant back', async () => {
    const ada = await api.signIn();
    api.google.heal();
    api.google.fail({ path: /^\/oauth2\/revoke/, times: 3, status: 503 });

    await ada.delete('/api/v1/me', { confirm: 'ada@example.com' }).expect(204);
    expect(api.google.countCalls(/^\/oauth2\/revoke/)).toBe(3);
    expect(await dumpAll(ada.userId)).toBe('');
  });

  test.each([
    ['nothing', undefined],
    ['no confirmation', {}],
    ['another’s address', { confirm: 'grace@example.com' }],
    ['a flag', { confirm: true }],
    ['more than it asks for', { confirm: 'ada@example.com', userId: 'somebody' }],
  ])('does nothing when it is sent %s', async (_name, body) => {
    const ada = await api.signIn();
    const reply = await ada.delete('/api/v1/me', body).expect(400);

    expect(reply.body.code).toBe('validation_failed');
    expect(reply.body.errors[0].path).toMatch(/^(confirm|userId)$/);
    await ada.get('/api/v1/me').expect(200);
    expect(api.google.countCalls(/^\/oauth2\/revoke/)).toBe(0);
  });

  test('is refused to other sites, and open to the front end', async () => {
    const ada = await api.signIn();
    await ada
      .delete('/api/v1/me', { confirm: 'ada@example.com' })
      .set('origin', 'https://evil.example')
      .expect(403);
    const preflight = await supertest(api.url)
      .options('/api/v1/me')
      .set({ origin: FRONTEND_ORIGIN, 'access-control-request-method': 'DELETE' });

    expect(preflight.headers['access-control-allow-methods']).toContain('DELETE');
    await ada.get('/api/v1/me').expect(200);
  });
});

let api: ApiHarness;
beforeAll(async () => {
  api = await startApi({
    mail: { 'ada@example.com': [{ id: 'one' }], 'grace@example.com': [{ id: 'two' }] },
  });
});
beforeEach(async () => {
  api.google.heal();
  await api.testDatabase.query('TRUNCATE "User" CASCADE');
});
afterAll(() => api.close());
