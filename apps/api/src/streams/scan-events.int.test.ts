import { type FaultProxy, openFaultProxy } from '@mailsweep/service-kit/testing';
import supertest from 'supertest';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, createClient, startApi } from '../testing/api-harness.ts';
import { openEventSource, openStream } from '../testing/event-source.ts';

describe('GET /api/v1/scans/{id}/events', () => {
  test('is a stream that nothing on the way keeps, compresses or collects', async () => {
    const stream = await open({ 'accept-encoding': 'gzip, br' });

    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    expect(stream.headers.get('content-encoding')).toBeNull();
    expect(await stream.until('event: progress')).toMatch(/^retry: 2000\n\n/);
  });

  test('reports each change in its order and the end, and then keeps an EventSource from coming back', async () => {
    const source = openEventSource(pathOf(api.url), ada.cookie);
    const told = () => source.events.map(({ name, data }) => `${name} ${data.state} ${data.scanned}`);
    await expect.poll(told).toEqual(['progress queued 0']);
    const before = (await ada.get(`/api/v1/scans/${scanId}`)).body;
    await change(`"state" = 'running', "scanned" = 100, "total" = 200`);
    await expect.poll(told, SOON).toHaveLength(2);
    await change(`"state" = 'completed', "scanned" = 200, "finishedAt" = now()`);
    await expect.poll(told, SOON).toEqual(['progress queued 0', 'progress running 100', 'end completed 200']);

    const after = (await ada.get(`/api/v1/scans/${scanId}`)).body;
    expect([source.events[0]?.data, source.events[2]?.data]).toEqual([before, after]);
    await expect.poll(source.isOver, SOON).toBe(true);
    expect(source.statuses).toEqual([200, 204]);
    expect(source.events).toHaveLength(3);
  });

  test('goes on at any replica where the client has left it, without telling anything twice', async () => {
    const first = await open();
    const [, id = ''] = /^id: (\S+)$/m.exec(await first.until('data:')) ?? [];
    first.leave();
    const replica = await api.startReplica();
    const second = await open({ 'last-event-id': id }, replica.url);
    expect(await second.until(':\n\n')).not.toContain('event:');
    await change(`"state" = 'waiting', "error" = 'rate_limited'`);
    expect(await second.until('data:')).toMatch(/event: progress\nid: \S+\ndata: .*"state":"waiting"/);
    second.leave();

    await change(`"state" = 'cancelled', "finishedAt" = now()`);
    expect(await (await open({ 'last-event-id': id })).toEnd()).toMatch(/event: end\n.*\n.*"cancelled"/);
    expect((await open({ 'last-event-id': 'of another stream' })).status).toBe(200);
  });

  test('of another user, or of none, is not found', async () => {
    const { cookie } = grace;
    expect((await open({ cookie })).status).toBe(404);
    await ada.get('/api/v1/scans/019a0000-0000-7000-8000-000000000000/events').expect(404);
    await ada.get('/api/v1/scans/1/events').expect(400);
    await expect.poll(() => readStreams()).toBe(0);
  });

  test('responds to HEAD with its head alone', async () => {
    const response = await supertest(api.url)
      .head(new URL(pathOf(api.url)).pathname)
      .set('cookie', ada.cookie)
      .expect(200);

    expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    await expect.poll(() => readStreams()).toBe(0);
  });

  test('lasts while the database is away, and goes on when it is back', async () => {
    const stream = await open();
    await stream.until('event: progress');
    proxy.cut();
    await ada.get('/api/v1/me').expect(503);
    await change('"scanned" = 7');
    proxy.heal();

    await stream.until('"scanned":7');
  });
});

describe('streams', () => {
  test('are four to a user; one that is left makes room for another', async () => {
    const streams = await Promise.all(Array.from({ length: 4 }, () => open()));
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200]);

    const refused = await ada.get(`/api/v1/scans/${scanId}/events`).expect(429);
    expect(refused.body).toMatchObject({ code: 'too_many_streams', status: 429 });
    expect(refused.headers['retry-after']).toBe('10');
    streams[0]?.leave();
    await expect.poll(() => readStreams()).toBe(3);
    expect((await open()).status).toBe(200);
  });

  test('are so many to a replica, and keep no place that requests could need', async () => {
    const replica = await api.startReplica({
      MAX_EVENT_STREAMS: '3',
      MAX_REQUESTS_IN_FLIGHT: '2',
      MAX_REQUESTS_IN_FLIGHT_PER_ADDRESS: '1',
      MAX_REQUESTS_IN_FLIGHT_PER_USER: '1',
    });
    for (let count = 0; count < 3; count += 1) expect((await open({}, replica.url)).status).toBe(200);

    const { body: scan } = await grace.post('/api/v1/scans');
    const there = createClient(replica.url, grace.token);
    const refused = await there.get(`/api/v1/scans/${scan.id}/events`).expect(503);
    expect(refused.body.code).toBe('overloaded');
    expect(refused.headers['retry-after']).toBe('10');
    await there.get('/api/v1/me').expect(200);
    const metrics = (await supertest(replica.operationsUrl).get('/metrics')).text;
    expect(metrics).toMatch(/mailsweep_event_streams\{.*\} 3/);
    expect(metrics).toMatch(/mailsweep_shed_requests_total\{reason="streams",.*\} 1/);
    expect(metrics).toMatch(
      /requests_total\{method="GET",route="\/api\/v1\/scans\/:id\/events",status="200",.*\} 3/,
    );
  });

  test('end with the session', async () => {
    const guest = await api.signIn();
    const source = openEventSource(pathOf(api.url), guest.cookie);
    await expect.poll(() => source.events).toHaveLength(1);
    await guest.post('/auth/logout').expect(204);

    await expect.poll(source.isOver, SOON).toBe(true);
    expect(source.statuses).toEqual([200, 401]);
    expect(source.events).toHaveLength(1);
  });

  test('end in order when the process does, which does not wait for them', async () => {
    const replica = await api.startReplica();
    const stream = await open({}, replica.url);
    await stream.until('event: progress');
    const startedMs = performance.now();
    await replica.stop();

    expect(performance.now() - startedMs).toBeLessThan(5_000);
    expect(await stream.toEnd()).not.toContain('event: end');
  });
});

const pathOf = (url: string) => `${url}/api/v1/scans/${scanId}/events`;

const open = (headers: Record<string, string> = {}, url = api.url) =>
  openStream(pathOf(url), { cookie: ada.cookie, ...headers });

const change = (fields: string) =>
  api.testDatabase.query(`UPDATE "MailboxScan" SET ${fields}, "updatedAt" = now() WHERE "id" = '${scanId}'`);

const readStreams = async (): Promise<number> => {
  const { text } = await supertest(api.operationsUrl).get('/metrics');
  return Number(/^mailsweep_event_streams\{.*\} (\d+)$/m.exec(text)?.[1]);
};

/** A change is noticed within a second, and an EventSource comes back after two. */
const SOON = { timeout: 10_000 };
let api: ApiHarness;
let proxy: FaultProxy;
let ada: ApiClient;
let grace: ApiClient;
let scanId: string;
beforeAll(async () => {
  api = await startApi({
    routeDatabase: async (databaseUrl) => {
      proxy = await openFaultProxy(databaseUrl);
      return proxy.url;
    },
  });
  ada = await api.signIn();
  grace = await api.signIn('grace@example.com');
});
beforeEach(async () => {
  // The streams of the test before: what a client has left is noticed a moment later.
  await expect.poll(() => readStreams(), SOON).toBe(0);
  await api.testDatabase.query('TRUNCATE "MailboxScan"');
  scanId = (await ada.post('/api/v1/scans')).body.id;
});
afterEach(() => proxy.heal());
afterAll(async () => {
  await api.close();
  await proxy.close();
});
