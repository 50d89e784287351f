import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createClient, followCleanup, followScan, UnreachableError } from './index.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface State {
  scanned?: number;
  state?: string;
  finishedAt?: string | null;
}

/** The work has these states, one a request; a state that is there twice in a row has not changed. */
const serveStates = (states: (State | 'lost' | { status: number })[]) => {
  const statuses: number[] = [];
  const respond = (init: RequestInit): Response => {
    const current = states.length > 1 ? states.shift() : states[0];
    if (current === 'lost' || current === undefined) throw new TypeError('fetch failed');
    if ('status' in current) {
      const body = { type: 'about:blank', title: 'T', detail: 'D', instance: '/', code: 'c', requestId: 'r' };
      return Response.json({ ...body, ...current }, current);
    }
    const body = JSON.stringify({ finishedAt: null, ...current });
    const etag = JSON.stringify(body.length + body);
    if (new Headers(init.headers).get('if-none-match') === etag) return new Response(null, { status: 304 });
    return new Response(body, { headers: { etag } });
  };
  const fetch = async (_url: unknown, init: RequestInit = {}): Promise<Response> => {
    const response = respond(init);
    statuses.push(response.status);
    return response;
  };
  const client = createClient({
    baseUrl: 'https://api.example.org',
    fetch,
    timeLimitMs: Number.POSITIVE_INFINITY,
  });
  return { client, statuses };
};

/** What an iterator yields, with all the time that it takes, and how it ends. */
const collect = async <T>(states: AsyncIterable<T>): Promise<{ seen: T[]; error?: unknown }> => {
  const seen: T[] = [];
  const done = (async () => {
    for await (const state of states) seen.push(state);
    return { seen };
  })().catch((error: unknown) => ({ seen, error }));
  await vi.advanceTimersByTimeAsync(3_600_000);
  return done;
};

it('yields each state of a scan that differs, up to the last', async () => {
  const { client, statuses } = serveStates([
    { scanned: 0 },
    { scanned: 0 },
    { scanned: 10 },
    { scanned: 20, finishedAt: 'now' },
    { scanned: 99 },
  ]);
  const { seen } = await collect(followScan(client, 'scan-1'));
  expect(seen.map(({ scanned }) => scanned)).toEqual([0, 10, 20]);
  expect(statuses).toEqual([200, 304, 200, 200]);
});

it('asks about once a second', async () => {
  const { client, statuses } = serveStates([{ scanned: 0 }]);
  const iterator = followScan(client, 'scan-1');
  await iterator.next();
  void iterator.next();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(statuses).toHaveLength(11);
});

it.each([
  ['lost connections', Array.from({ length: 20 }, () => 'lost' as const)],
  ['an API that is not available', Array.from({ length: 20 }, () => ({ status: 503 }))],
])('goes on after %s', async (_what, failures) => {
  const { client } = serveStates([{ scanned: 1 }, ...failures, { scanned: 2, finishedAt: 'now' }]);
  const { seen, error } = await collect(followScan(client, 'scan-1'));
  expect(error).toBeUndefined();
  expect(seen.map(({ scanned }) => scanned)).toEqual([1, 2]);
});

it('gives up when the API stays away for longer than the caller is patient', async () => {
  const { client } = serveStates([{ scanned: 1 }, 'lost']);
  const { seen, error } = await collect(followScan(client, 'scan-1', { patienceMs: 60_000 }));
  expect(seen).toHaveLength(1);
  expect(error).toBeInstanceOf(UnreachableError);
});

it('throws what will not pass', async () => {
  const { client, statuses } = serveStates([{ status: 404 }]);
  const { error } = await collect(followScan(client, 'scan-1'));
  expect(error).toMatchObject({ status: 404 });
  expect(statuses).toHaveLength(1);
});

it('ends when its signal is aborted', async () => {
  const { client, statuses } = serveStates([{ scanned: 0 }]);
  const abort = new AbortController();
  const outcome = collect(followScan(client, 'scan-1', { signal: abort.signal }));
  await vi.advanceTimersByTimeAsync(2_500);
  abort.abort();
  expect((await outcome).error).toBe(abort.signal.reason);
  const asked = statuses.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(statuses).toHaveLength(asked);
});

it('follows a cleanup until it is finished, or its plan has expired', async () => {
  const finished = serveStates([{ state: 'running' }, { state: 'completed', finishedAt: 'now' }, {}]);
  expect((await collect(followCleanup(finished.client, 'a'))).seen).toHaveLength(2);
  const expired = serveStates([{ state: 'planned' }, { state: 'expired' }, { state: 'planned' }]);
  expect((await collect(followCleanup(expired.client, 'a'))).seen).toHaveLength(2);
});
