import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { shareRecent } from './share-recent.ts';

describe('a shared reading', () => {
  test('is taken once for all who ask while it is in flight', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const read = vi.fn(() => promise);
    const share = shareRecent(read, 1_000);
    const results = Promise.all(Array.from({ length: 100 }, share));
    await vi.advanceTimersByTimeAsync(5_000);
    resolve('up');

    expect(new Set(await results)).toEqual(new Set(['up']));
    expect(read).toHaveBeenCalledTimes(1);
  });

  test('is reused for its time, and then taken again', async () => {
    let count = 0;
    const share = shareRecent(async () => (count += 1), 1_000);
    expect(await share()).toBe(1);
    await vi.advanceTimersByTimeAsync(999);
    expect(await share()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);

    expect(await share()).toBe(2);
  });

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
});
