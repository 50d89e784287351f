/** The wait before the second attempt, before jitter; it doubles with each further one. */
const BASE_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
/** The longest wait that a provider can ask for: beyond a day its header is no use to anybody. */
const LONGEST_RETRY_AFTER_MS = 24 * 3_600_000;

/**
 * How long to wait before trying again, in milliseconds: exponential back-off, of which the later half is random
 * (Gmail API, "Resolve errors"), but never less than the provider asked for.
 *
 * @param input.attemptsMade - from 1
 * @param input.retryAfterMs - what the provider asked for, if anything
 * @param input.random - a number from 0 up to but not including 1
 */
export const retryDelayMs = (input: {
  attemptsMade: number;
  retryAfterMs: number | undefined;
  random: number;
}): number => {
  const ceilingMs = Math.min(LONGEST_DELAY_MS, BASE_DELAY_MS * 2 ** (input.attemptsMade - 1));
  const backOffMs = Math.ceil((ceilingMs / 2) * (1 + input.random));
  return Math.max(backOffMs, input.retryAfterMs ?? 0);
};

/**
 * Reads a Retry-After header, seconds or an HTTP date (RFC 9110, 10.2.3).
 *
 * @returns milliseconds from `nowMs` on, a day at most, 0 for a date gone by, undefined for anything unreadable
 */
export const parseRetryAfterMs = (value: string | undefined, nowMs: number): number | undefined => {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, LONGEST_RETRY_AFTER_MS);
  // A letter first: Date.parse would read any number as a year.
  const dateMs = /^[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.min(Math.max(0, dateMs - nowMs), LONGEST_RETRY_AFTER_MS);
};

/** How much time errors may take within one call of a `Mailbox` method. */
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
