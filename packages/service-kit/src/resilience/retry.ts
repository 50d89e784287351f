import pRetry from 'p-retry';

interface RetryPolicy {
  maxAttempts: number;
  isTransient: (error: unknown) => boolean;
  /** The backoff after the first attempt lies between this and twice this, in milliseconds; it doubles each time. */
  firstDelayMs: number;
  /** The deadline of all attempts: none starts after it fired, and it ends a backoff. */
  signal?: AbortSignal | undefined;
}

/**
 * Makes attempts until one succeeds, an error is final, or attempts or time are used up. The outcome is the last
 * attempt's. p-retry takes every TypeError but those of `fetch` as final, without asking the policy.
 */
export const retry = async <T>(attempt: () => Promise<T>, policy: RetryPolicy): Promise<T> => {
  let lastAttempt: Promise<T> | undefined;
  const makeAttempt = () => {
    lastAttempt = attempt();
    return lastAttempt;
  };
  const result = pRetry(makeAttempt, {
    retries: policy.maxAttempts - 1,
    minTimeout: policy.firstDelayMs,
    factor: 2,
    randomize: true,
    shouldRetry: ({ error }) => policy.isTransient(error),
    signal: policy.signal,
  });
  // At the deadline p-retry rejects with the signal's reason; the error of the last attempt says more.
  return await result.catch((error: unknown) => lastAttempt ?? Promise.reject(error));
};

/**
 * How long to wait before the next attempt, in milliseconds.
 *
 * @param attemptsMade - 1 after the first failure
 * @param random - a number from 0 up to but not including 1
 */
export type RetryDelay = (attemptsMade: number, random?: () => number) => number;

/** Shares of a delay between which the actual one is chosen at random, so that retries do not arrive all at once. */
type Jitter = readonly [shortest: number, longest: number];
const JITTER: Jitter = [0.8, 1.2];

const withJitter = (delayMs: number, [shortest, longest]: Jitter, random: () => number): number =>
  Math.round(delayMs * (shortest + (longest - shortest) * random()));

/** Doubles with every attempt up to a longest delay, with ±20 % jitter where nothing else is said. */
export const exponentialDelay =
  (limits: { firstMs: number; longestMs: number; jitter?: Jitter }): RetryDelay =>
  (attemptsMade, random = Math.random) =>
    withJitter(
      Math.min(limits.longestMs, limits.firstMs * 2 ** (attemptsMade - 1)),
      limits.jitter ?? JITTER,
      random,
    );

/** Uses one delay after the other, with ±20 % jitter; the last one repeats. */
export const scheduledDelay =
  (delaysMs: readonly number[]): RetryDelay =>
  (attemptsMade, random = Math.random) =>
    withJitter(delaysMs[Math.min(attemptsMade, delaysMs.length) - 1] ?? 0, JITTER, random);

const LONGEST_RETRY_AFTER_MS = 24 * 3_600_000;

/**
 * Reads a Retry-After header, seconds or an HTTP date (RFC 9110, 10.2.3).
 *
 * @param shortestMs - returned for anything shorter, and for a date in the past
 * @returns milliseconds from `nowMs` on, a day at most, undefined for anything unreadable
 */
export const parseRetryAfterMs = (
  value: string | undefined,
  nowMs: number,
  shortestMs = 0,
): number | undefined => {
  const text = value?.trim() ?? '';
  // A letter first: Date.parse would read any number as a year.
  const dateMs = /^[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  const delayMs = /^\d+$/.test(text) ? Number(text) * 1_000 : dateMs - nowMs;
  return Number.isNaN(delayMs) ? undefined : Math.min(Math.max(delayMs, shortestMs), LONGEST_RETRY_AFTER_MS);
};

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
