import { exponentialBackoff, withJitter } from '@mailsweep/service-kit/resilience';

/**
 * How long to wait before the next attempt, in milliseconds.
 *
 * @param attemptsMade - 1 after the first failure
 * @param random - a number from 0 up to 1
 */
export type RetryDelay = (attemptsMade: number, random: () => number) => number;

/** Delays are moved by up to a fifth either way. */
const JITTER = [0.8, 1.2] as const;

/** Doubles with every attempt up to a longest delay, ±20 %. */
export const exponentialDelay =
  (limits: { firstMs: number; longestMs: number }): RetryDelay =>
  (attemptsMade, random) =>
    exponentialBackoff({ ...limits, jitter: JITTER }, attemptsMade, random());

/** Takes one delay after the other, ±20 %; beyond the last it stays with that. */
export const scheduledDelay =
  (delaysMs: readonly number[]): RetryDelay =>
  (attemptsMade, random) =>
    withJitter(delaysMs[Math.min(attemptsMade, delaysMs.length) - 1] ?? 0, JITTER, random());
