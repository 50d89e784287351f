import type { Scan } from '@mailsweep/contracts';
import { describe, expect, test } from 'vitest';
import { databaseUnavailable } from '../http/database-unavailable.ts';
import { followProgress } from './follow-progress.ts';
import type { StreamItem } from './send-events.ts';

describe('following a scan', () => {
  test('reports its state, each change and the end, and then ends', async () => {
    const items = await follow([scan, scan, { ...scan, scanned: 1 }, { ...scan, scanned: 1 }, ended]);

    expect(toNames(items)).toEqual(['progress 0', 'progress 1', 'end 1']);
  });

  test('gives the same scan the same id, and another one another', async () => {
    const [first, again, changed, late] = await Promise.all(
      [scan, scan, { ...scan, error: 'rate_limited' as const }, ended].map(async (one) => {
        const [item] = await follow([one, null]);
        return item?.id;
      }),
    );

    expect(again).toBe(first);
    expect(new Set([first, changed, late]).size).toBe(3);
  });

  test('repeats nothing that the client has seen, but says that it is there', async () => {
    const [seen] = await follow([scan, null]);
    const items = await follow([scan, scan, ended], { lastEventId: seen?.id });

    expect(toNames(items)).toEqual(['heartbeat', 'end 1']);
  });

  test('says nothing at all once the end has been seen', async () => {
    const [seen] = await follow([ended]);

    expect(await follow([ended], { lastEventId: seen?.id })).toEqual([]);
  });

  test('says now and then that it is there while nothing changes', async () => {
    const responses = [scan, scan, scan, scan, ended];

    expect(toNames(await follow(responses, { heartbeatMs: 0 }))).toEqual([
      'progress 0',
      'heartbeat',
      'heartbeat',
      'heartbeat',
      'end 1',
    ]);
    expect(toNames(await follow(responses, { heartbeatMs: 3_600_000 }))).toEqual(['progress 0', 'end 1']);
  });

  test('is over when the scan may no longer be shown', async () => {
    expect(toNames(await follow([scan, null]))).toEqual(['progress 0']);
  });

  test('has nothing to begin with where there is no scan, or no database', async () => {
    await expect(follow([null])).rejects.toMatchObject({ status: 404, code: 'not_found' });
    await expect(follow([databaseUnavailable()])).rejects.toMatchObject({ status: 503 });
  });

  test('waits for a database that is away, and for nothing else', async () => {
    expect(toNames(await follow([scan, databaseUnavailable(), databaseUnavailable(), ended]))).toEqual([
      'progress 0',
      'end 1',
    ]);
    await expect(follow([scan, new Error('a fault of ours')])).rejects.toThrow('a fault of ours');
  });

  test('ends, and asks no more, when the client has disconnected', async () => {
    const gone = new AbortController();
    let reads = 0;
    const items = followProgress({
      read: async () => {
        reads += 1;
        return scan;
      },
      lastEventId: undefined,
      signal: gone.signal,
      pollMs: 3_600_000,
    });
    expect((await items.next()).value).toMatchObject({ event: 'progress' });
    const next = items.next();
    gone.abort();

    expect(await next).toEqual({ done: true, value: undefined });
    expect(reads).toBe(1);
  });
});

/** Everything that is told while the reads of a scan answer one after the other; errors are thrown. */
const follow = async (
  responses: readonly (Scan | null | Error)[],
  options: { lastEventId?: string | undefined; heartbeatMs?: number } = {},
): Promise<StreamItem[]> => {
  const left = [...responses];
  const read = async () => {
    const response = left.shift();
    if (response === undefined) throw new Error('asked again after the end');
    if (response instanceof Error) throw response;
    return response;
  };
  const { signal } = new AbortController();
  const items: StreamItem[] = [];
  for await (const item of followProgress({ read, lastEventId: undefined, signal, pollMs: 0, ...options })) {
    items.push(item);
  }
  return items;
};

const toNames = (items: StreamItem[]): string[] =>
  items.map((item) => (item === undefined ? 'heartbeat' : `${item.event} ${(item.data as Scan).scanned}`));

const scan: Scan = {
  id: '019a0000-0000-7000-8000-000000000001',
  state: 'running',
  scope: 'all',
  scanned: 0,
  total: 1,
  suggested: 0,
  unclassified: 0,
  unitsUsed: 0,
  etaSeconds: null,
  error: null,
  createdAt: '2026-11-21T08:00:00.000Z',
  startedAt: '2026-11-21T08:00:00.000Z',
  updatedAt: '2026-11-21T08:00:00.000Z',
  finishedAt: null,
};
const ended: Scan = { ...scan, state: 'completed', scanned: 1, finishedAt: '2026-11-21T08:00:01.000Z' };
