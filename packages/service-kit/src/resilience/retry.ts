import pRetry from 'p-retry';

export interface RetryPolicy {
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

/** Longest wait that a server can ask for, in milliseconds. */
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
