/** Longest delay that a receiver may ask for, in milliseconds. */
const LONGEST_MS = 24 * 3_600_000;
const SHORTEST_MS = 1_000;

/**
 * How long a receiver asks to be left alone (Retry-After, RFC 9110 section 10.2.3), in milliseconds from now,
 * one second to one day.
 *
 * @param header - seconds, or an HTTP date
 * @returns undefined when it is absent or makes no sense
 */
export const parseRetryAfterMs = (header: string | undefined, now: Date): number | undefined => {
  if (header === undefined) return undefined;
  const delayMs = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now.getTime();
  return Number.isNaN(delayMs) ? undefined : Math.min(Math.max(delayMs, SHORTEST_MS), LONGEST_MS);
};
