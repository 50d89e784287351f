import type { QueueBackend } from '../queue/queue-backend.ts';
import { type AnyQueue, QUEUE_NAMES } from '../queue/queues.ts';

const PAGE_SIZE = 500;
/** States in which a job may stay for hours or days. */
const STAYING_STATES = ['failed', 'delayed'] as const;

/**
 * Removes the jobs of one user's events that would stay for long: dead letters, and jobs that wait for a retry. A
 * job that waits for its first attempt, or is in flight, is left: it ends within moments.
 *
 * @returns the number of jobs removed
 */
export const removeJobsOf = async (
  queue: Pick<QueueBackend, 'openQueue'>,
  userId: string,
): Promise<number> => {
  let removed = 0;
  for (const queueName of QUEUE_NAMES) {
    const opened = await queue.openQueue(queueName);
    for (const state of STAYING_STATES) removed += await removeOwned(opened, state, userId);
  }
  return removed;
};

/** Reads one state at a time: BullMQ pages each state by itself, so a page of several states has no common offset. */
const removeOwned = async (
  queue: AnyQueue,
  state: (typeof STAYING_STATES)[number],
  userId: string,
): Promise<number> => {
  let removed = 0;
  for (let start = 0; ; ) {
    const jobs = await queue.getJobs([state], start, start + PAGE_SIZE - 1, true);
    const owned = jobs.filter((job) => isOwnedBy(job.data, userId));
    for (const job of owned) await job.remove();
    removed += owned.length;
    if (jobs.length < PAGE_SIZE) return removed;
    // Removed jobs no longer count towards the offset.
    start += jobs.length - owned.length;
  }
};

const isOwnedBy = (data: unknown, userId: string): boolean =>
  typeof data === 'object' && data !== null && 'userId' in data && data.userId === userId;
