import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for a promise, but not longer than the deadline.
 *
 * @returns whether it resolved in time
 * @throws what the promise rejects with in time
 */
export const resolvesWithin = async (work: Promise<unknown>, deadlineMs: number): Promise<boolean> => {
  const timer = new AbortController();
  const late = sleep(deadlineMs, false, { signal: timer.signal }).catch(() => false);
  return Promise.race([work.then(() => true), late]).finally(() => timer.abort());
};
