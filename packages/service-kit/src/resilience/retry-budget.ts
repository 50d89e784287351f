import { exponentialDelay } from './retry.ts';

/** Half of each delay is random (Gmail API, "Resolve errors"). */
const BACKOFF = exponentialDelay({ firstMs: 500, longestMs: 8_000, jitter: [0.5, 1] });

/**
 * How long to wait before a retry, in milliseconds: backoff, but never less than the provider asked for.
 *
 * @param input.attemptsMade - from 1
 * @param input.retryAfterMs - what the provider asked for, if anything
 * @param input.random - returns a number from 0 up to but not including 1
 */
export const retryDelayMs = (input: {
  attemptsMade: number;
  retryAfterMs: number | undefined;
  random: () => number;
}): number => Math.max(BACKOFF(input.attemptsMade, input.random), input.retryAfterMs ?? 0);

/** How much time errors may take within one piece of work. */
export interface RetryBudget {
  /**
   * Takes the time between two instants off the budget, time that was taken before counting once.
   *
   * @returns false, and nothing is taken, when so much is not left
   */
  spend(fromMs: number, untilMs: number): boolean;
}

/**
 * A budget that only failed attempts and the waits after them draw on, so that a long healthy call keeps all of it.
 * Requests that fail side by side share the time instead of paying each.
 */
export const createRetryBudget = (budgetMs: number): RetryBudget => {
  let leftMs = budgetMs;
  let paidUntilMs = Number.NEGATIVE_INFINITY;
  return {
    spend(fromMs, untilMs) {
      const costMs = Math.max(0, untilMs - Math.max(fromMs, paidUntilMs));
      if (costMs > leftMs) return false;
      leftMs -= costMs;
      paidUntilMs = Math.max(paidUntilMs, untilMs);
      return true;
    },
  };
};
