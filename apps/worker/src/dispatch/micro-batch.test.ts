import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMicroBatch } from './micro-batch.ts';

const LINGER_MS = 5;

describe('items that come one by one', () => {
  test('are dealt with together once the wait is over', async () => {
    const batch = createBatch({ maxSize: 10 });
    const added = [batch.add('a'), batch.add('b')];
    await vi.advanceTimersByTimeAsync(LINGER_MS - 1);
    expect(batches).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(batches).toEqual([['a', 'b']]);
    await Promise.all(added);
  });

  test('wait no longer once there are enough, and the next begin a batch of their own', async () => {
    const batch = createBatch({ maxSize: 2 });
    await Promise.all([batch.add('a'), batch.add('b')]);
    const third = batch.add('c');
    expect(batches).toEqual([['a', 'b']]);
    await vi.advanceTimersByTimeAsync(LINGER_MS);
    await third;
    expect(batches).toEqual([['a', 'b'], ['c']]);
  });

  test('succeed and fail each for itself', async () => {
    const batch = createBatch({
      maxSize: 3,
      run: async (items) =>
        items.map((item) =>
          item === 'bad'
            ? { status: 'rejected', reason: new Error(item) }
            : { status: 'fulfilled', value: undefined },
        ),
    });
    const outcomes = await Promise.allSettled([batch.add('a'), batch.add('bad'), batch.add('c')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('all fail when the batch does, and later ones are tried again', async () => {
    let isOut = true;
    const batch = createBatch({
      maxSize: 1,
      run: async (items) => {
        if (isOut) throw new Error('out of reach');
        return items.map(() => ({ status: 'fulfilled', value: undefined }));
      },
    });
    await expect(batch.add('a')).rejects.toThrow('out of reach');
    isOut = false;
    await expect(batch.add('a')).resolves.toBeUndefined();
  });
});

let batches: string[][];
type Run = Parameters<typeof createMicroBatch<string>>[0]['run'];

const createBatch = ({ maxSize, run }: { maxSize: number; run?: Run }) =>
  createMicroBatch<string>({
    maxSize,
    lingerMs: LINGER_MS,
    run:
      run ??
      (async (items) => {
        batches.push(items);
        return items.map(() => ({ status: 'fulfilled', value: undefined }));
      }),
  });

beforeEach(() => {
  batches = [];
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());
