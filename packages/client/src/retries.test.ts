import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient, UnreachableError } from './index.ts';

const BASE_URL = 'https://api.example.org';
const A_MINUTE_MS = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An attempt fails with what is at its place: a status, or a lost connection. After the last one, all succeed. */
type Failure = { status: number; retryAfter?: string; code?: string } | 'lost';

const failWith = (...failures: Failure[]) => {
  const startedAt = Date.now();
  const attempts: { atMs: number; key: string | null }[] = [];
  const fetch = async (_url: unknown, init: RequestInit = {}): Promise<Response> => {
    const failure = failures[attempts.length];
    attempts.push({ atMs: Date.now() - startedAt, key: new Headers(init.headers).get('idempotency-key') });
    if (failure === 'lost') throw new TypeError('fetch failed');
    if (failure === undefined) return Response.json({ id: 'done' });
    const { status, code = 'overloaded', retryAfter } = failure;
    return Response.json(
      { type: 'about:blank', title: 'T', status, detail: 'D', instance: '/', code, requestId: 'r' },
      { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } },
    );
  };
  return {
    attempts,
    client: createClient({ baseUrl: BASE_URL, fetch, timeLimitMs: Number.POSITIVE_INFINITY }),
  };
};

/** The outcome of a call, with all the time that it waits for. */
const outcomeOf = async (call: Promise<unknown>): Promise<unknown> => {
  const outcome = call.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(10 * A_MINUTE_MS);
  return outcome;
};

describe('calls that are safe to repeat', () => {
  it.each<Failure>(['lost', { status: 429 }, { status: 502 }, { status: 503 }, { status: 504 }])(
    'are repeated after %o, each time later',
    async (failure) => {
      const { attempts, client } = failWith(failure, failure, failure);
      expect(await outcomeOf(client.getMe())).toEqual({ id: 'done' });
      const waits = attempts.slice(1).map(({ atMs }, index) => atMs - (attempts[index]?.atMs ?? 0));
      for (const [index, shortestMs] of [1_000, 2_000, 4_000].entries()) {
        expect(waits[index]).toBeGreaterThanOrEqual(shortestMs);
        expect(waits[index]).toBeLessThanOrEqual(1.5 * shortestMs);
      }
    },
  );

  it.each(['mailbox_refused', 'no_inbox'])('are not repeated after %s, which comes again', async (code) => {
    const { attempts, client } = failWith({ status: 502, code });
    expect(await outcomeOf(client.getMe())).toMatchObject({ status: 502, code });
    expect(attempts).toHaveLength(1);
  });

  it('are given up after three repetitions', async () => {
    const { attempts, client } = failWith('lost', 'lost', 'lost', 'lost', 'lost');
    expect(await outcomeOf(client.getMe())).toBeInstanceOf(UnreachableError);
    expect(attempts).toHaveLength(4);
  });

  it('wait as long as the API says, in seconds or until a date', async () => {
    const date = new Date(Date.now() + 40_000).toUTCString();
    const { attempts, client } = failWith(
      { status: 503, retryAfter: '20' },
      { status: 429, retryAfter: date },
    );
    expect(await outcomeOf(client.getMe())).toEqual({ id: 'done' });
    expect(attempts[1]?.atMs).toBe(20_000);
    expect(attempts[2]?.atMs).toBeGreaterThanOrEqual(39_000);
  });

  it('are given up at once where the API asks for more than a minute', async () => {
    const { attempts, client } = failWith({ status: 503, retryAfter: '7200', code: 'daily_limit_exceeded' });
    expect(await outcomeOf(client.getMe())).toMatchObject({
      code: 'daily_limit_exceeded',
      retryAfterSeconds: 7_200,
    });
    expect(attempts).toHaveLength(1);
  });

  it('keep their idempotency key, given or not', async () => {
    const given = failWith('lost', { status: 503 });
    await outcomeOf(given.client.startScan({ idempotencyKey: 'mine' }));
    expect(given.attempts.map(({ key }) => key)).toEqual(['mine', 'mine', 'mine']);
    const made = failWith('lost');
    await outcomeOf(made.client.startScan());
    expect(made.attempts[0]?.key).toMatch(/./);
    expect(made.attempts[1]?.key).toBe(made.attempts[0]?.key);
  });

  it('are asked for again for a minute while an earlier attempt is still in flight', async () => {
    const inFlight = { status: 409, code: 'idempotency_request_in_flight', retryAfter: '1' };
    const { attempts, client } = failWith(...Array.from({ length: 6 }, () => inFlight));
    expect(await outcomeOf(client.startScan())).toEqual({ id: 'done' });
    expect(attempts.at(-1)?.atMs).toBeGreaterThanOrEqual(A_MINUTE_MS);
  });

  it('are not repeated once they are aborted', async () => {
    const { attempts, client } = failWith('lost');
    const abort = new AbortController();
    const call = client.getMe({ signal: abort.signal }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(500);
    abort.abort();
    expect(await call).toBe(abort.signal.reason);
    await vi.advanceTimersByTimeAsync(A_MINUTE_MS);
    expect(attempts).toHaveLength(1);
  });
});

describe('other calls', () => {
  it.each<Failure>(['lost', { status: 503 }])('are not repeated after %o', async (failure) => {
    const { attempts, client } = failWith(failure);
    await outcomeOf(client.protectByName({ body: { name: 'shop.example' } }));
    expect(attempts).toHaveLength(1);
  });

  it.each([400, 401, 404, 409, 500])('are not repeated after %i, nor are safe ones', async (status) => {
    const { attempts, client } = failWith({ status });
    await outcomeOf(client.getMe());
    expect(attempts).toHaveLength(1);
  });
});
