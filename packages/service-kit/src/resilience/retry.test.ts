import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { retry } from './retry.ts';

const failUntil = (successAt: number) => {
  let made = 0;
  return {
    attempt: () => {
      made += 1;
      return made < successAt ? Promise.reject(new Error(`error ${made}`)) : Promise.resolve(made);
    },
    attemptsMade: () => made,
  };
};

const policy = { maxAttempts: 3, isTransient: () => true, firstDelayMs: 0 };

describe('a retry', () => {
  it('resolves with the first success', async () => {
    const { attempt } = failUntil(2);
    await expect(retry(attempt, policy)).resolves.toBe(2);
  });

  it('rejects with the last error when the attempts are used up', async () => {
    const { attempt, attemptsMade } = failUntil(9);
    await expect(retry(attempt, policy)).rejects.toThrowError('error 3');
    expect(attemptsMade()).toBe(3);
  });

  it('rejects at once with an error that is final', async () => {
    const { attempt, attemptsMade } = failUntil(9);
    await expect(retry(attempt, { ...policy, isTransient: () => false })).rejects.toThrowError('error 1');
    expect(attemptsMade()).toBe(1);
  });

  it('doubles the backoff with each attempt, and spreads it over twice its shortest length', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    for (const [random, delaysMs] of [
      [0, [100, 200]],
      [0.5, [150, 300]],
    ] as const) {
      vi.spyOn(Math, 'random').mockReturnValue(random);
      const { attempt, attemptsMade } = failUntil(3);
      const result = retry(attempt, { ...policy, firstDelayMs: 100 });
      await vi.advanceTimersByTimeAsync(delaysMs[0] - 1);
      expect(attemptsMade()).toBe(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(attemptsMade()).toBe(2);
      await vi.advanceTimersByTimeAsync(delaysMs[1] - 1);
      expect(attemptsMade()).toBe(2);
      await vi.advanceTimersByTimeAsync(1);
      await expect(result).resolves.toBe(3);
    }
    vi.restoreAllMocks();
  });

  it('starts no attempt after the deadline, and rejects with the last error', async () => {
    const deadline = new AbortController();
    const { attempt, attemptsMade } = failUntil(9);
    const result = retry(attempt, { ...policy, firstDelayMs: 60_000, signal: deadline.signal });
    setImmediate(() => deadline.abort());
    await expect(result).rejects.toThrowError('error 1');
    expect(attemptsMade()).toBe(1);
  });

  it('resolves with an attempt that succeeds although the deadline has passed meanwhile', async () => {
    const deadline = new AbortController();
    const attempt = async () => {
      deadline.abort();
      return 'late';
    };
    await expect(retry(attempt, { ...policy, signal: deadline.signal })).resolves.toBe('late');
  });
});
