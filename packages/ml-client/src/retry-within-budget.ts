import { setTimeout as sleep } from 'node:timers/promises';

export interface RetryPolicy {
  maxAttempts: number;
  isRetryable: (error: unknown) => boolean;
  /** How long to wait after so many attempts, in milliseconds. */
  delayMs: (attemptsMade: number) => number;
  /** Ends the budget: no attempt starts after it fired, and a wait is cut short by it. */
  signal: AbortSignal;
}

const sleepUnlessAborted = (delayMs: number, signal: AbortSignal): Promise<boolean> =>
  sleep(delayMs, true, { signal }).catch(() => false);

/**
 * Makes attempts until one succeeds, a fault is final, or attempts or budget are used up; then rejects with the
 * last fault, which says more than "time is up".
 */
export const retryWithinBudget = async <T>(attempt: () => Promise<T>, policy: RetryPolicy): Promise<T> => {
  for (let attemptsMade = 1; ; attemptsMade += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (attemptsMade >= policy.maxAttempts || !policy.isRetryable(error)) throw error;
      if (!(await sleepUnlessAborted(policy.delayMs(attemptsMade), policy.signal))) throw error;
    }
  }
};
