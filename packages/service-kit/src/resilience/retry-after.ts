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
