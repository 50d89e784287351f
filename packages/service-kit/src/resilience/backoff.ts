/** Shares of a delay between which the actual one is chosen at random, so that retries don't arrive all at once. */
export type Jitter = readonly [shortest: number, longest: number];

/** @param random - a number from 0 up to but not including 1 */
export const withJitter = (delayMs: number, [shortest, longest]: Jitter, random: number): number =>
  Math.round(delayMs * (shortest + (longest - shortest) * random));

/**
 * Exponential backoff with jitter, in milliseconds: doubles with every attempt up to a longest delay.
 *
 * @param attemptsMade - from 1
 * @param random - a number from 0 up to but not including 1
 */
export const exponentialBackoff = (
  limits: { firstMs: number; longestMs: number; jitter: Jitter },
  attemptsMade: number,
  random: number,
): number =>
  withJitter(Math.min(limits.longestMs, limits.firstMs * 2 ** (attemptsMade - 1)), limits.jitter, random);
