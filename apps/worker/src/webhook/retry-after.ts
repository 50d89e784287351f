import { parseRetryAfterMs } from '@mailsweep/service-kit/resilience';

/** Shortest delay that a receiver may ask for, in milliseconds. */
const SHORTEST_MS = 1_000;

/** After how long a receiver wants to be called again, in milliseconds; undefined when it does not say so. */
export const readRetryAfterMs = (retryAfter: string | undefined, now: Date): number | undefined =>
  parseRetryAfterMs(retryAfter, now.getTime(), SHORTEST_MS);
