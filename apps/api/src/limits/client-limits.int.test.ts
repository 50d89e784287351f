import { once } from 'node:events';
import { get, type IncomingMessage, request } from 'node:http';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type ApiClient, type ApiHarness, createClient, startApi } from '../testing/api-harness.ts';
import { startHangingGmail } from '../testing/hanging-gmail.ts';

const EXPORT = '/api/v1/me/export';
/** An export of many rows takes a moment. */
const SOON = { timeout: 20_000 };

describe('R37: a user who sends bodies that do not end', () => {
  test('gets 429 beyond the limit, and takes nothing from others', async () => {
    // Ten of these slots are for routes that need the database alone.
    const replica = await api.startReplica({}, { slots: 25, inFlightPerUser: 10 });
    const there = {
      ada: createClient(replica.url, ada.token),
      grace: createClient(replica.url, grace.token),
    };
    const bodies: ReturnType<typeof beginBody>[] = [];
    // Each attempt begins another body: its GET may hold the last slot just when a body arrives, which is then refused.
    const beginAndLook = async () => {
      bodies.push(beginBody(replica.url, ada));
      return (await there.ada.get('/api/v1/me')).status;
    };
    await expect.poll(beginAndLook, SOON).toBe(429);

    const refused = await there.ada.get('/api/v1/me').expect(429);
    expect(refused.body).toMatchObject({ code: 'too_many_requests_in_flight', status: 429 });
    expect(refused.headers['retry-after']).toBe('1');
    await there.grace.get('/api/v1/me').expect(200);
    expect(await readMetrics(replica.operationsUrl)).toMatch(
      /rate_limited_requests_total\{limit="user_in_flight",.*\} [1-9]/,
    );

    for (const body of bodies) body.destroy();
    await expect.poll(async () => (await there.ada.get('/api/v1/me')).status, SOON).toBe(200);
  });
});

describe('R37: a user who does not read an export', () => {
  test('has one export in flight, and takes nothing from others', async () => {
    // More than the connection holds while nobody reads.
    await insertHistory(ada, 20_000);
    const leave = await beginExport(ada);

    const refused = await ada.get(EXPORT).expect(429);
    expect(refused.body).toMatchObject({ code: 'too_many_requests_in_flight', status: 429 });
    expect(refused.headers['retry-after']).toBe('1');
    await ada.get('/api/v1/me').expect(200);
    await grace.get(EXPORT).expect(200);

    leave();
    await expect.poll(async () => (await ada.get(EXPORT)).status, SOON).toBe(200);
  });
});

describe('R35: an address with too many requests in flight', () => {
  test('gets 429 for whatever it asks, except for its health, and takes nothing from others', async () => {
    const gmail = await startHangingGmail();
    const replica = await api.startReplica(
      { TRUST_PROXY_HOPS: '1', GMAIL_BASE_URL: gmail.url },
      { inFlightPerAddress: 2 },
    );
    const from = (address: string, path: string) =>
      supertest(replica.url).get(path).set({ cookie: ada.cookie, 'x-forwarded-for': address });
    const waiting = Array.from({ length: 2 }, () =>
      from('192.0.2.1', '/api/v1/emails').then((reply) => reply.status),
    );
    await expect.poll(() => gmail.held.length).toBe(2);

    for (const path of ['/api/v1/me', '/docs', '/auth/idp']) {
      const refused = await from('192.0.2.1', path).expect(429);
      expect(refused.body.code).toBe('too_many_requests_in_flight');
      expect(refused.headers['retry-after']).toBe('1');
    }
    await from('192.0.2.1', '/api/v1/health').expect(200);
    await from('192.0.2.2', '/api/v1/me').expect(200);
    expect(await readMetrics(replica.operationsUrl)).toMatch(
      /rate_limited_requests_total\{limit="address_in_flight",.*\} 3/,
    );

    gmail.release();
    expect(await Promise.all(waiting)).toEqual([503, 503]);
    await from('192.0.2.1', '/api/v1/me').expect(200);
  });
});

describe('a user whose clients leave', () => {
  test('still has requests in flight while the process works on them', async () => {
    const gmail = await startHangingGmail();
    const replica = await api.startReplica({ GMAIL_BASE_URL: gmail.url }, { inFlightPerUser: 1 });
    const there = createClient(replica.url, ada.token);
    const left = get(`${replica.url}/api/v1/emails`, { headers: { cookie: ada.cookie } });
    left.on('error', () => undefined);
    await expect.poll(() => gmail.held.length).toBe(1);
    left.destroy();
    await expect.poll(() => api.logLines.join('')).toContain('request aborted');

    await there.get('/api/v1/me').expect(429);
    gmail.release();
    await expect.poll(async () => (await there.get('/api/v1/me')).status).toBe(200);
  });
});

/** Sends the head of a request and the beginning of its body. */
const beginBody = (url: string, user: ApiClient) => {
  const sending = request(`${url}/api/v1/me`, {
    method: 'DELETE',
    headers: { cookie: user.cookie, 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
  });
  sending.on('error', () => undefined);
  sending.write('{');
  onTestFinished(() => void sending.destroy());
  return sending;
};

/** Asks for an export, and reads none of it; returns how to leave. */
const beginExport = async (user: ApiClient) => {
  const asking = get(`${api.url}${EXPORT}`, { headers: { cookie: user.cookie } });
  asking.on('error', () => undefined);
  onTestFinished(() => void asking.destroy());
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  return () => void asking.destroy();
};

const insertHistory = (user: ApiClient, count: number) =>
  api.testDatabase.query(
    `INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details", "batchId")
     SELECT gen_random_uuid(), $1::uuid, 'one', 'archive', now(), jsonb_build_object('padding', repeat('x', 1000)),
  gen_random_uuid()
     FROM generate_series(1, $2)`,
    [user.userId, count],
  );

const readMetrics = async (operationsUrl: string): Promise<string> =>
  (await supertest(operationsUrl).get('/metrics')).text;

let api: ApiHarness;
let ada: ApiClient;
let grace: ApiClient;
beforeAll(async () => {
  api = await startApi({ mail: { 'ada@example.com': [{ id: 'one' }] } });
  ada = await api.signIn();
  grace = await api.signIn('grace@example.com');
});
afterAll(() => api.close());
