import { describe, expect, it } from 'vitest';
import { retryWithinBudget } from './retry-within-budget.ts';

const failUntil = (successAt: number) => {
  let made = 0;
  return {
    attempt: () => {
      made += 1;
      return made < successAt ? Promise.reject(new Error(`fault ${made}`)) : Promise.resolve(made);
    },
    attemptsMade: () => made,
  };
};

const policy = {
  maxAttempts: 3,
  isRetryable: () => true,
  delayMs: () => 0,
  signal: new AbortController().signal,
};

describe('retrying within a budget', () => {
  it('responds with the first success', async () => {
    const { attempt } = failUntil(2);
    await expect(retryWithinBudget(attempt, policy)).resolves.toBe(2);
  });

  it('rejects with the last fault when the attempts are used up', async () => {
    const { attempt, attemptsMade } = failUntil(9);
    await expect(retryWithinBudget(attempt, policy)).rejects.toThrowError('fault 3');
    expect(attemptsMade()).toBe(3);
  });

  it('rejects at once with a fault that is final', async () => {
    const { attempt, attemptsMade } = failUntil(9);
    await expect(retryWithinBudget(attempt, { ...policy, isRetryable: () => false })).rejects.toThrowError(
      'fault 1',
    );
    expect(attemptsMade()).toBe(1);
  });

  it('asks how long to wait after each attempt', async () => {
    const asked: number[] = [];
    const { attempt } = failUntil(3);
    const delayMs = (attemptsMade: number) => {
      asked.push(attemptsMade);
      return 0;
    };
    await retryWithinBudget(attempt, { ...policy, delayMs });
    expect(asked).toEqual([1, 2]);
  });

  it('starts no attempt once the budget is over, and still tells the last fault', async () => {
    const budget = new AbortController();
    const { attempt, attemptsMade } = failUntil(9);
    const delayMs = () => {
      budget.abort();
      return 60_000;
    };
    await expect(
      retryWithinBudget(attempt, { ...policy, delayMs, signal: budget.signal }),
    ).rejects.toThrowError('fault 1');
    expect(attemptsMade()).toBe(1);
  });
});
