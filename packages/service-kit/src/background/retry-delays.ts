import { exponentialBackoff, withJitter } from '../resilience/backoff.ts';

/**
 * How long to wait before the next attempt, in milliseconds.
 *
 * @param attemptsMade - 1 after the first failure
 * @param random - a number from 0 up to 1
 */
export type RetryDelay = (attemptsMade: number, random: () => number) => number;

/** Random variation of ±20 %, so that retries do not arrive all at once. */
const JITTER = [0.8, 1.2] as const;

/** Exponential backoff up to a longest delay, with ±20 % jitter. */
export const exponentialDelay =
  (limits: { firstMs: number; longestMs: number }): RetryDelay =>
  (attemptsMade, random) =>
    exponentialBackoff({ ...limits, jitter: JITTER }, attemptsMade, random());

/** Uses one delay after the other, with ±20 % jitter; the last one repeats. */
export const scheduledDelay =
  (delaysMs: readonly number[]): RetryDelay =>
  (attemptsMade, random) =>
    withJitter(delaysMs[Math.min(attemptsMade, delaysMs.length) - 1] ?? 0, JITTER, random());
