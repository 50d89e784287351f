import { openFaultProxy } from '@mailsweep/service-kit/testing';
import { Redis } from 'ioredis';
import supertest from 'supertest';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  onTestFinished,
  test,
} from 'vitest';
import { type ApiHarness, createClient, startApi } from '../testing/api-harness.ts';

const FEW = { API_RATE_LIMIT_PER_MINUTE: '5' };

describe('R15: too many requests of one user', () => {
  test('get 429, with the time to wait', async () => {
    const { url } = await api.startReplica(FEW);
    const ada = createClient(url, (await api.signIn()).token);

    const first = await ada.get('/api/v1/me').expect(200);
    expect(first.headers).toMatchObject({ 'ratelimit-limit': '5', 'ratelimit-remaining': '4' });
    expect(Number(first.headers['ratelimit-reset'])).toBeGreaterThan(0);
    expect(Number(first.headers['ratelimit-reset'])).toBeLessThanOrEqual(60);
    for (let count = 0; count < 4; count += 1) await ada.get('/api/v1/me').expect(200);

    const refused = await ada.get('/api/v1/me').expect(429);
    expect(refused.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(refused.body).toMatchObject({ status: 429, code: 'too_many_requests' });
    expect(refused.headers).toMatchObject({ 'ratelimit-limit': '5', 'ratelimit-remaining': '0' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  });

  test('don’t count against another user, nor against the health routes', async () => {
    const { url } = await api.startReplica(FEW);
    const ada = createClient(url, (await api.signIn()).token);
    const grace = createClient(url, (await api.signIn('grace@example.com')).token);
    for (let count = 0; count < 6; count += 1) await ada.get('/api/v1/me');

    await ada.get('/api/v1/me').expect(429);
    await grace.get('/api/v1/me').expect(200);
    await supertest(url).get('/api/v1/health').expect(200);
    await supertest(url).get('/api/v1/health/db').expect(200);
  });

  test('are counted over all of the user’s sessions and routes', async () => {
    const { url } = await api.startReplica(FEW);
    const phone = createClient(url, (await api.signIn()).token);
    const laptop = createClient(url, (await api.signIn()).token);
    for (let count = 0; count < 5; count += 1) await phone.get('/api/v1/notifications/history').expect(200);

    await laptop.get('/api/v1/emails').expect(429);
  });
});

describe('R15: too many sign-ins from one address', () => {
  test('get 429, signed in or not', async () => {
    const { url } = await api.startReplica({ AUTH_RATE_LIMIT_PER_MINUTE: '3' });
    for (let count = 0; count < 3; count += 1) await supertest(url).get('/auth/idp').expect(302);

    const refused = await supertest(url).get('/auth/idp/callback').expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await supertest(url).get('/api/v1/health').expect(200);
  });

  test('can’t be hidden behind made-up forwarding headers', async () => {
    const { url } = await api.startReplica({ AUTH_RATE_LIMIT_PER_MINUTE: '2' });
    const ask = (address: string) => supertest(url).get('/auth/idp').set('x-forwarded-for', address);
    await ask('203.0.113.1').expect(302);
    await ask('203.0.113.2').expect(302);

    await ask('203.0.113.3').expect(429);
  });

  test('are told apart by the address that a trusted proxy forwards', async () => {
    const { url } = await api.startReplica({ AUTH_RATE_LIMIT_PER_MINUTE: '1', TRUST_PROXY_HOPS: '1' });
    const ask = (address: string) => supertest(url).get('/auth/idp').set('x-forwarded-for', address);
    await ask('203.0.113.1').expect(302);

    await ask('203.0.113.2').expect(302);
    await ask('203.0.113.1').expect(429);
    await ask('198.51.100.7, 203.0.113.1').expect(429);
  });
});

describe('R39: behind a trusted proxy these are one client', () => {
  test.each([
    [
      '200 addresses of one IPv6 /64',
      Array.from({ length: 200 }, (_, index) => `2001:db8:1:2:${index.toString(16)}::${index + 1}`),
    ],
    [
      'four spellings of one IPv6 address',
      ['2001:db8::1', '2001:DB8::1', '2001:db8:0:0::1', '2001:0db8:0000:0000:0000:0000:0000:0001'],
    ],
    ['an IPv4 address, also as IPv6', ['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:c000:201']],
    ['an address with different ports', ['192.0.2.1', '192.0.2.1:1024', '192.0.2.1:1025']],
    ['an IPv6 address with different ports', ['2001:db8::1', '[2001:db8::1]:1024', '[2001:db8::1]:1025']],
    ['texts that are no address', ['unknown', '_hidden', 'example.com']],
    [
      'addresses that a client makes up in front of its own',
      Array.from({ length: 20 }, (_, index) => `203.0.113.${index}, 192.0.2.6`),
    ],
  ])('%s', async (_name, addresses) => {
    const changes = { AUTH_RATE_LIMIT_PER_MINUTE: '2', TRUST_PROXY_HOPS: '1' };
    const { url } = await api.startReplica(changes, { failuresPerMinute: 2 });
    // Each limit per address, and the status of a request within it.
    for (const [path, within] of [
      ['/auth/idp', 302],
      ['/api/v1/me', 401],
      ['/api/v1/health/db', 200],
    ] as const) {
      const ask = async (address: string) =>
        (await supertest(url).get(path).set('x-forwarded-for', address)).status;
      const statuses = [];
      for (const address of addresses) statuses.push(await ask(address));

      expect({ path, statuses }).toEqual({
        path,
        statuses: [within, within, ...Array(addresses.length - 2).fill(429)],
      });
      for (const other of ['198.51.100.7:1024', '2001:db8:1:3::1', '2001:db8:1:4::1'])
        expect(await ask(other)).toBe(within);
    }
  });
});

describe('R43: requests that fail without a session', () => {
  const startStrict = () => api.startReplica({ TRUST_PROXY_HOPS: '1' }, { failuresPerMinute: 3 });
  const from = (address: string, request: supertest.Test) => request.set('x-forwarded-for', address);

  test('get 429 beyond the limit of their address, while live sessions go on', async () => {
    const { url } = await startStrict();
    const ada = createClient(url, (await api.signIn()).token);
    const fail = (path: string, address = '203.0.113.1') => from(address, supertest(url).get(path));
    await fail('/api/v1/me').expect(401);
    await fail('/api/v1/no-such-route').expect(404);
    await from('203.0.113.1', supertest(url).post('/auth/logout')).expect(401);

    for (const path of ['/api/v1/me', '/api/v1/no-such-route', '/docs/no-such-file']) {
      const refused = await fail(path).expect(429);
      expect(refused.body).toMatchObject({ status: 429, code: 'too_many_requests' });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    }
    await from('203.0.113.1', ada.get('/api/v1/me')).expect(200);
    await fail('/api/v1/me', '203.0.113.2').expect(401);
    await fail('/api/v1/health').expect(200);
  });

  test('are not counted when a live session asks for what is not there', async () => {
    const { url } = await startStrict();
    const ada = createClient(url, (await api.signIn()).token);
    const path = '/api/v1/scans/019a0000-0000-7000-8000-000000000000';
    for (let count = 0; count < 5; count += 1) await ada.get(path).expect(404);

    await supertest(url).get('/api/v1/me').expect(401);
  });

  test('checks of the database have a limit of their own', async () => {
    const { url } = await startStrict();
    for (let count = 0; count < 3; count += 1) await supertest(url).get('/api/v1/health/db').expect(200);

    await supertest(url).get('/api/v1/health/db').expect(429);
    await supertest(url).get('/api/v1/health').expect(200);
    await supertest(url).get('/api/v1/me').expect(401);
  });

  test('the documentation has a limit of its own for each address', async () => {
    const { url } = await api.startReplica();
    for (let count = 0; count < 60; count += 1) await supertest(url).get('/openapi.json').expect(200);

    await supertest(url).get('/docs/').expect(429);
    await supertest(url).get('/api/v1/health').expect(200);
    await supertest(url).get('/api/v1/me').expect(401);
  });
});

describe('R15: when the store of the limits is out of reach', () => {
  test('requests are still served, without delay, and still limited', async () => {
    const { url } = await api.startReplica({ ...FEW, REDIS_URL: 'redis://127.0.0.1:1' });
    const ada = createClient(url, (await api.signIn()).token);
    await ada.get('/api/v1/me').expect(200);

    const startedMs = performance.now();
    for (let count = 0; count < 4; count += 1) await ada.get('/api/v1/me').expect(200);
    expect((performance.now() - startedMs) / 4).toBeLessThan(100);
    await ada.get('/api/v1/me').expect(429);
  });
});

describe.skipIf(inject('redisUrl') === null)('with Redis', () => {
  /** A poll that asks takes from the limit. */
  const POLL = { interval: 500, timeout: 15_000 };
  const startShared = (redisUrl: string, limit: number, limits: { storeTimeoutMs: number }) =>
    api.startReplica({ REDIS_URL: redisUrl, API_RATE_LIMIT_PER_MINUTE: String(limit) }, limits);

  // Counts last a minute: without this, a test that is tried again begins with those of the first time.
  beforeEach(async () => {
    const redis = new Redis(inject('redisUrl') ?? '');
    const keys = await redis.keys('limit:*');
    if (keys.length > 0) await redis.del(keys);
    redis.disconnect();
  });

  test('R15: replicas share one count, also of what Redis was not told during an outage', async () => {
    const proxy = await openFaultProxy(inject('redisUrl') ?? '');
    onTestFinished(() => proxy.close());
    const limit = 100;
    // With the usual limit of 40 ms, a busy machine alone makes each replica count for itself.
    const patient = { storeTimeoutMs: 10_000 };
    const [one, other] = [
      await startShared(inject('redisUrl') ?? '', limit, patient),
      await startShared(proxy.url, limit, patient),
    ];
    const { token } = await api.signIn('grace@example.com');
    const [here, there] = [createClient(one.url, token), createClient(other.url, token)];
    let asked = 0;
    const ask = async (client: typeof here) => {
      asked += 1;
      return Number((await client.get('/api/v1/me').expect(200)).headers['ratelimit-remaining']);
    };
    const isShared = async () => {
      await ask(here);
      return (await ask(there)) === limit - asked;
    };
    await expect.poll(isShared, POLL).toBe(true);

    proxy.cut();
    for (let count = 0; count < 5; count += 1) await ask(there);
    proxy.heal();
    await expect.poll(isShared, POLL).toBe(true);

    while (asked < limit) await ask(asked % 2 === 0 ? here : there);
    await here.get('/api/v1/me').expect(429);
    await there.get('/api/v1/me').expect(429);
  });

  test('R15: one that falls silent gives nobody a second allowance', async () => {
    const redis = await openFaultProxy(inject('redisUrl') ?? '');
    onTestFinished(() => redis.close());
    const { url } = await api.startReplica({ ...FEW, REDIS_URL: redis.url });
    const ada = createClient(url, (await api.signIn()).token);
    for (let count = 0; count < 4; count += 1) await ada.get('/api/v1/me').expect(200);

    redis.freeze();
    await ada.get('/api/v1/me').expect(200);
    await ada.get('/api/v1/me').expect(429);
    redis.heal();
    await ada.get('/api/v1/me').expect(429);
  });

  test('R15: one that falls silent is waited for by a request a second, not by each, and found again', async () => {
    const redis = await openFaultProxy(inject('redisUrl') ?? '');
    onTestFinished(() => redis.close());
    let asked = 0;
    redis.onChunk(({ direction, bytes }) => {
      if (direction === 'up' && bytes.includes('limit:api')) asked += 1;
    });
    const { url } = await api.startReplica({ REDIS_URL: redis.url });
    const ada = createClient(url, (await api.signIn()).token);
    const isAsked = async (before: number) => {
      await ada.get('/api/v1/me').expect(200);
      return asked > before;
    };
    await expect.poll(() => isAsked(0)).toBe(true);

    redis.freeze();
    asked = 0;
    const startedMs = performance.now();
    for (let count = 0; count < 20; count += 1) await ada.get('/api/v1/me').expect(200);
    const seconds = (performance.now() - startedMs) / 1_000;
    expect(asked).toBeLessThanOrEqual(1 + Math.ceil(seconds));

    redis.heal();
    await expect.poll(() => isAsked(asked), { timeout: 10_000 }).toBe(true);
  });
});

let api: ApiHarness;
beforeAll(async () => {
  api = await startApi();
});
afterEach(() => api.google.heal());
afterAll(() => api.close());
