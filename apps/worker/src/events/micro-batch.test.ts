import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMicroBatch, type MicroBatch } from './micro-batch.ts';

const LINGER_MS = 5;
const LONGEST_WAIT_MS = 250;

describe('items that come one by one', () => {
  test('are processed together once they have lingered', async () => {
    const batch = createBatch({ maxSize: 10 });
    await addAtOnce(batch, 'a');
    await addAtOnce(batch, 'b');
    await vi.advanceTimersByTimeAsync(LINGER_MS - 1);
    expect(begun()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun()).toEqual([['a', 'b']]);
  });

  test('linger no longer once they are half of a full batch', async () => {
    const batch = createBatch({ maxSize: 4 });
    await addAtOnce(batch, 'a');
    await addAtOnce(batch, 'b');
    expect(begun()).toEqual([['a', 'b']]);
  });

  test('that come while a batch is in flight form the next, as soon as it is done', async () => {
    const batch = createBatch({ maxSize: 4 });
    await addAtOnce(batch, 'a', 'b');
    await addAtOnce(batch, 'c', 'd', 'e');
    await vi.advanceTimersByTimeAsync(LINGER_MS);
    expect(begun()).toEqual([['a', 'b']]);
    batches[0]?.done.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(begun()).toEqual([
      ['a', 'b'],
      ['c', 'd', 'e'],
    ]);
  });

  test('linger after the batch before them only for what is left', async () => {
    const batch = createBatch({ maxSize: 10 });
    await addAtOnce(batch, 'a', 'b', 'c', 'd', 'e');
    await addAtOnce(batch, 'f');
    await vi.advanceTimersByTimeAsync(LINGER_MS - 1);
    batches[0]?.done.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(begun()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun()[1]).toEqual(['f']);
  });

  test('wait no longer once there are enough', async () => {
    const batch = createBatch({ maxSize: 2 });
    await addAtOnce(batch, 'a');
    await addAtOnce(batch, 'b', 'c');
    expect(begun()).toEqual([['a'], ['b', 'c']]);
  });

  test('wait for a slow batch only so long', async () => {
    const batch = createBatch({ maxSize: 2 });
    await addAtOnce(batch, 'a');
    await addAtOnce(batch, 'b');
    await vi.advanceTimersByTimeAsync(LONGEST_WAIT_MS - 1);
    expect(begun()).toEqual([['a']]);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun()).toEqual([['a'], ['b']]);
  });

  test('end when their own batch does', async () => {
    const batch = createBatch({ maxSize: 1 });
    const ended: string[] = [];
    void batch.add('a').then(() => ended.push('a'));
    void batch.add('b').then(() => ended.push('b'));
    batches[1]?.done.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(ended).toEqual(['b']);
  });

  test('all fail when their batch does, and later ones are still processed', async () => {
    const batch = createBatch({ maxSize: 4 });
    const outcomes = Promise.allSettled([batch.add('a'), batch.add('b')]);
    batches[0]?.done.reject(new Error('out of reach'));
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const later = batch.add('c');
    await vi.advanceTimersByTimeAsync(LINGER_MS);
    batches[1]?.done.resolve();
    await expect(later).resolves.toBeUndefined();
  });
});

/** The batches started; a test ends them. */
let batches: { items: string[]; done: PromiseWithResolvers<void> }[];
const begun = () => batches.map(({ items }) => items);

const createBatch = ({ maxSize }: { maxSize: number }) =>
  createMicroBatch<string>({
    maxSize,
    lingerMs: LINGER_MS,
    longestWaitMs: LONGEST_WAIT_MS,
    run: (items) => {
      const done = Promise.withResolvers<void>();
      batches.push({ items, done });
      return done.promise;
    },
  });

/** Adds items in a turn of the event loop of their own. */
const addAtOnce = async (batch: MicroBatch<string>, ...items: string[]) => {
  for (const item of items) batch.add(item).catch(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
};

beforeEach(() => {
  batches = [];
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());
