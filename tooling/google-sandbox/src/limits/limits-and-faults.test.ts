import { describe, expect, it } from 'vitest';
import { readSettings } from '../config.ts';
import {
  ADA,
  GRACE,
  mailboxOf,
  message,
  openMailbox,
  postToken,
  signIn,
  startSandbox,
} from '../testing/test-sandbox.ts';
import { createQuota, createQuotaUsage, priceOf } from './quota.ts';

const NOW_MS = Date.parse('2026-06-15T12:00:00Z');

const order = async (url: string, fault: object): Promise<number> => {
  const response = await fetch(`${url}/sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  return response.status;
};

describe('limits of the sandbox', () => {
  it('refuses calls beyond the units of a minute, and takes them again when the minute is over', async () => {
    let nowMs = Date.now();
    const { url } = await startSandbox([mailboxOf(message('m1'))], {
      quotaUnitsPerMinute: 45,
      behaviour: { retryAfterHeader: true },
      nowMs: () => nowMs,
    });
    const mailbox = await openMailbox(url);
    const getStatus = async () => (await mailbox.call('GET', '/messages/m1')).status;
    expect([await getStatus(), await getStatus()]).toEqual([200, 200]);
    nowMs += 20_000;
    const refused = await mailbox.call('GET', '/messages/m1');
    expect(refused.status).toBe(403);
    expect(refused.headers.get('retry-after')).toBe('40');
    expect(await refused.json()).toMatchObject({ error: { errors: [{ reason: 'rateLimitExceeded' }] } });
    expect((await mailbox.call('GET', '/messages')).status).toBe(200);
    nowMs += 40_000;
    expect(await getStatus()).toBe(200);
  });

  it('refuses calls beyond those that may be in flight at a time', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1'))], {
      concurrentCalls: 1,
      latencyMs: 50,
    });
    const mailbox = await openMailbox(url);
    const responses = await Promise.all(Array.from({ length: 8 }, () => mailbox.call('GET', '/messages')));
    const statuses = responses.map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses).toContain(429);
    expect((await mailbox.call('GET', '/messages')).status).toBe(200);
  });
});

describe('the units of a minute', () => {
  const setUp = (unitsPerMinute: number) => {
    let nowMs = NOW_MS;
    const usage = createQuotaUsage();
    const quota = createQuota({ unitsPerMinute, concurrentCalls: 0, usage, nowMs: () => nowMs });
    const enter = (units: number, email = 'ada') => quota.enter(email, { name: 'any', units });
    return { enter, usage, advance: (ms: number) => (nowMs += ms) };
  };

  it('slide: units come back one by one, each 60 seconds after it was used', () => {
    const { enter, advance } = setUp(100);
    expect(enter(60)).toBeUndefined();
    advance(30_000);
    expect(enter(40)).toBeUndefined();
    advance(29_999);
    expect(enter(60)).toEqual({ limit: 'units', retryAfterMs: 1 });
    advance(1);
    expect(enter(60)).toBeUndefined();
    expect(enter(1)).toEqual({ limit: 'units', retryAfterMs: 30_000 });
  });

  it('give the time when enough of them are available again', () => {
    const { enter, advance } = setUp(100);
    enter(10);
    advance(10_000);
    enter(90);
    expect(enter(50)).toEqual({ limit: 'units', retryAfterMs: 60_000 });
    expect(enter(10)).toEqual({ limit: 'units', retryAfterMs: 50_000 });
  });

  it('are each user’s own, and refused calls cost none', () => {
    const { enter, usage } = setUp(100);
    enter(100);
    enter(100);
    expect(enter(100, 'grace')).toBeUndefined();
    expect(usage.report()).toMatchObject({ units: 200, calls: 2, refused: { units: 1, concurrency: 0 } });
  });

  it.each([
    ['GET', '/profile', 1],
    ['GET', '/labels', 1],
    ['POST', '/labels', 5],
    ['GET', '/history', 2],
    ['GET', '/messages', 5],
    ['GET', '/messages/m1', 20],
    ['POST', '/messages/m1/modify', 5],
    ['POST', '/messages/m1/trash', 20],
    ['POST', '/messages/batchModify', 50],
  ])('are charged as Gmail does: %s %s costs %i', (verb, path, units) => {
    expect(priceOf(verb, `/gmail/v1/users/me${path}`).units).toBe(units);
  });
});

describe('the count of units', () => {
  it('is counted by method, from the start and from a mark', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1'))], { latencyMs: 200 });
    const mailbox = await openMailbox(url);
    const report = async (query = '') => (await fetch(`${url}/sandbox/quota${query}`)).json();
    await mailbox.call('GET', '/messages');
    const { mark } = (await (await fetch(`${url}/sandbox/quota/marks`, { method: 'POST' })).json()) as {
      mark: number;
    };
    await Promise.all([1, 2, 3].map(() => mailbox.call('GET', '/messages/m1')));
    await mailbox.call('GET', '/history?startHistoryId=1');
    expect(await report(`?since=${mark}`)).toEqual({
      units: 62,
      calls: 4,
      byMethod: { 'messages.get': { calls: 3, units: 60 }, 'history.list': { calls: 1, units: 2 } },
      refused: { units: 0, concurrency: 0 },
      peakInFlight: 3,
    });
    expect(await report()).toMatchObject({ units: 67, calls: 5 });
    expect((await fetch(`${url}/sandbox/quota?since=${mark + 1}`)).status).toBe(404);
  });
});

describe('the limits of a sandbox that is given none', () => {
  it('are calls at a time alone', () => {
    const settings = readSettings({}, {});
    expect(settings).toMatchObject({ SANDBOX_QUOTA_UNITS_PER_MINUTE: 0, SANDBOX_CONCURRENT_CALLS: 25 });
  });
});

describe('faults of the sandbox', () => {
  it.each([
    ['unauthorized', 401, 'authError'],
    ['forbidden', 403, 'forbidden'],
    ['domain_policy', 403, 'domainPolicy'],
    ['rate_limited_403', 403, 'userRateLimitExceeded'],
    ['rate_limited_429', 429, 'rateLimitExceeded'],
    ['server_error', 500, 'backendError'],
    ['unavailable', 503, 'backendError'],
    ['insufficient_scope', 403, 'insufficientPermissions'],
    ['api_not_enabled', 403, 'accessNotConfigured'],
    ['daily_limit_exceeded', 403, 'dailyLimitExceeded'],
    ['mail_service_not_enabled', 400, 'failedPrecondition'],
    ['precondition_failed', 400, 'failedPrecondition'],
    ['resource_exhausted', 429, 'rateLimitExceeded'],
    ['rate_limited_until', 429, 'rateLimitExceeded'],
  ])('responds to %s as Gmail does, as often as ordered', async (kind, status, reason) => {
    const { url } = await startSandbox([mailboxOf(message('m1'))]);
    const mailbox = await openMailbox(url);
    expect(await order(url, { kind, path: '/messages/', times: 2, after: 1 })).toBe(201);
    const responses = [];
    for (let call = 0; call < 4; call += 1) responses.push(await mailbox.call('GET', '/messages/m1'));
    expect(responses.map((response) => response.status)).toEqual([200, status, status, 200]);
    expect(await responses[1]?.json()).toMatchObject({ error: { code: status, errors: [{ reason }] } });
  });

  it('says when to come back, where ordered', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1'))]);
    const mailbox = await openMailbox(url);
    await order(url, { kind: 'rate_limited_429', retryAfterSeconds: 7 });
    expect((await mailbox.call('GET', '/messages/m1')).headers.get('retry-after')).toBe('7');
  });

  it.each([
    [
      'api_not_enabled',
      /https:\/\/console\.developers\.google\.com\/apis\/api\/gmail\.googleapis\.com\/overview\?project=\d+ /,
    ],
    ['mail_service_not_enabled', /^Mail service not enabled$/],
    ['precondition_failed', /^Precondition check failed\.$/],
    ['resource_exhausted', /^Resource has been exhausted \(e\.g\. check quota\)\.$/],
    ['rate_limited_until', /^User-rate limit exceeded\. {2}Retry after 2026-06-15T12:15:00\.000Z$/],
  ])('words %s as Gmail does', async (kind, wording) => {
    const { url } = await startSandbox([mailboxOf(message('m1'))]);
    const mailbox = await openMailbox(url);
    await order(url, { kind });
    const response = await mailbox.call('GET', '/messages/m1');
    expect(response.headers.has('retry-after')).toBe(false);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringMatching(wording) } });
  });

  it('says nothing of when to come back unless quota refusals are set to', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1'))], {
      quotaUnitsPerMinute: 20,
    });
    const mailbox = await openMailbox(url);
    await mailbox.call('GET', '/messages/m1');
    const refused = await mailbox.call('GET', '/messages/m1');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([403, null]);
  });

  it('spares calls of another method or path', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1'))]);
    const mailbox = await openMailbox(url);
    await order(url, { kind: 'unavailable', method: 'POST', path: '/modify$' });
    expect((await mailbox.call('GET', '/messages/m1')).status).toBe(200);
    expect((await mailbox.call('POST', '/messages/m1/modify', { addLabelIds: ['STARRED'] })).status).toBe(
      503,
    );
  });

  it('lets the history expire', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1'))]);
    const mailbox = await openMailbox(url);
    const { historyId } = await mailbox.get('/profile');
    await order(url, { kind: 'history_expired', path: '/history$' });
    expect((await mailbox.call('GET', `/history?startHistoryId=${historyId}`)).status).toBe(404);
    expect((await mailbox.call('GET', `/history?startHistoryId=${historyId}`)).status).toBe(200);
  });

  it('lets a refresh token die', async () => {
    const { url } = await startSandbox([mailboxOf()]);
    const { refresh_token } = await signIn(url);
    await order(url, { kind: 'invalid_grant', path: '^/oauth2/token$' });
    const response = await postToken(url, { grant_type: 'refresh_token', refresh_token });
    expect(await response.json()).toMatchObject({ error: 'invalid_grant' });
  });

  it('cuts connections, and leaves calls without a response', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1'))]);
    const mailbox = await openMailbox(url);
    await order(url, { kind: 'reset' });
    await expect(mailbox.call('GET', '/messages/m1')).rejects.toThrow('fetch failed');
    await order(url, { kind: 'hang' });
    const given = AbortSignal.timeout(200);
    const headers = { authorization: mailbox.authorization };
    const hanging = fetch(`${url}/gmail/v1/users/me/profile`, { headers, signal: given });
    await expect(hanging).rejects.toThrow('timeout');
  });

  it('holds a response back', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1'))]);
    const mailbox = await openMailbox(url);
    await order(url, { kind: 'delay', delayMs: 150 });
    const startedMs = performance.now();
    expect((await mailbox.call('GET', '/messages/m1')).status).toBe(200);
    expect(performance.now() - startedMs).toBeGreaterThan(140);
  });

  it('lists orders, forgets them on demand, and refuses ones it does not know', async () => {
    const { url } = await startSandbox([mailboxOf()]);
    expect(await order(url, { kind: 'earthquake' })).toBe(400);
    expect(await order(url, { kind: 'hang', path: '(' })).toBe(400);
    await order(url, { kind: 'hang', times: 3 });
    const list = async () => (await fetch(`${url}/sandbox/faults`)).json();
    expect(await list()).toMatchObject([{ kind: 'hang', times: 3 }]);
    await fetch(`${url}/sandbox/faults`, { method: 'DELETE' });
    expect(await list()).toEqual([]);
  });

  it('lets the calls of one user go wrong, renewals of tokens too, and forgets those orders alone', async () => {
    const { url } = await startSandbox([mailboxOf(), { user: GRACE, labels: [], messages: [] }]);
    const tokens = [await signIn(url, GRACE.email), await signIn(url)];
    const [ada, grace] = [await openMailbox(url), await openMailbox(url, GRACE.email)];
    const statuses = async () => [
      (await ada.call('GET', '/profile')).status,
      (await grace.call('GET', '/profile')).status,
    ];
    await order(url, { kind: 'unavailable', user: ADA.email, times: 9 });
    await order(url, { kind: 'forbidden', user: GRACE.email, times: 9 });
    expect(await statuses()).toEqual([503, 403]);
    await fetch(`${url}/sandbox/faults?user=${GRACE.email}`, { method: 'DELETE' });
    expect(await statuses()).toEqual([503, 200]);

    await order(url, { kind: 'invalid_grant', path: '/token', user: ADA.email, times: 9 });
    const renewals = tokens.map(({ refresh_token }) =>
      postToken(url, { grant_type: 'refresh_token', refresh_token }).then(({ status }) => status),
    );
    expect(await Promise.all(renewals)).toEqual([200, 400]);
    expect((await fetch(`${url}/sandbox/faults?user=`, { method: 'DELETE' })).status).toBe(400);
  });

  it('tells the calls of one user from those of others, and forgets them alone', async () => {
    const { url } = await startSandbox([mailboxOf(), { user: GRACE, labels: [], messages: [] }]);
    const [ada, grace] = [await openMailbox(url), await openMailbox(url, GRACE.email)];
    await ada.call('GET', '/profile');
    await grace.call('GET', '/labels');
    const list = async (query: string): Promise<{ user: string; path: string }[]> => {
      const calls = (await (await fetch(`${url}/sandbox/requests${query}`)).json()) as {
        user: string | null;
      }[];
      return calls.filter(({ user }) => user !== null) as { user: string; path: string }[];
    };
    expect(await list(`?user=${ADA.email}`)).toMatchObject([
      { user: ADA.email, path: expect.stringMatching(/profile$/) },
    ]);
    await fetch(`${url}/sandbox/requests?user=${ADA.email}`, { method: 'DELETE' });
    expect(await list('')).toMatchObject([{ user: GRACE.email, path: expect.stringMatching(/labels$/) }]);
  });

  it('remembers calls without what was said in them', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1'))]);
    const mailbox = await openMailbox(url);
    await mailbox.search('subject:confidential');
    const text = await (await fetch(`${url}/sandbox/requests`)).text();
    expect(JSON.parse(text)).toContainEqual({
      at: expect.any(String),
      method: 'GET',
      path: '/gmail/v1/users/me/messages',
      user: ADA.email,
      parameters: ['q'],
      status: 200,
      units: 5,
      isInBatch: false,
    });
    expect(text).not.toContain('confidential');
    expect(text).not.toContain(mailbox.authorization.slice(-20));
  });
});
