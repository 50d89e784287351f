/**
 * How long to wait before the next attempt, in milliseconds.
 *
 * @param attemptsMade - 1 after the first failure
 * @param random - a number from 0 up to 1
 */
export type RetryDelay = (attemptsMade: number, random: () => number) => number;

/** Share by which a scheduled delay is moved either way, so that retries don't arrive all at once. */
const JITTER = 0.2;

const spread = (delayMs: number, random: () => number): number =>
  Math.round(delayMs * (1 - JITTER + 2 * JITTER * random()));

/** Doubles with every attempt up to a longest delay, ±20 %. */
export const exponentialDelay =
  (limits: { firstMs: number; longestMs: number }): RetryDelay =>
  (attemptsMade, random) =>
    spread(Math.min(limits.firstMs * 2 ** (attemptsMade - 1), limits.longestMs), random);

/** Takes one delay after the other, ±20 %; beyond the last it stays with that. */
export const scheduledDelay =
  (delaysMs: readonly number[]): RetryDelay =>
  (attemptsMade, random) =>
    spread(delaysMs[Math.min(attemptsMade, delaysMs.length) - 1] ?? 0, random);
