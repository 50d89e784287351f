import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for work to end, but not longer than the deadline.
 *
 * @returns whether it ended in time
 * @throws what the work throws in time
 */
export const resolvesWithin = async (work: Promise<unknown>, deadlineMs: number): Promise<boolean> => {
  const timer = new AbortController();
  const late = sleep(deadlineMs, false, { signal: timer.signal }).catch(() => false);
  return Promise.race([work.then(() => true), late]).finally(() => timer.abort());
};
