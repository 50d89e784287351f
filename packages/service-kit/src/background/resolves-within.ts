import { withDeadline } from '../resilience/deadline.ts';

/**
 * Waits for a promise, but not longer than the deadline.
 *
 * @returns whether it resolved in time
 * @throws what the promise rejects with in time
 */
export const resolvesWithin = async (work: Promise<unknown>, deadlineMs: number): Promise<boolean> => {
  const late = new Error('the deadline has passed');
  try {
    await withDeadline(work, deadlineMs, () => late);
    return true;
  } catch (error) {
    if (error === late) return false;
    throw error;
  }
};
