import type { QueueBackend } from '../queue/queue-backend.ts';
import type { AnyQueue } from '../queue/queue-driver.ts';
import { QUEUE_NAMES } from '../queue/queues.ts';

/** Jobs read at a time. */
const PAGE_SIZE = 500;
/** Where jobs stay for long. */
const STAYING_STATES = ['failed', 'delayed'] as const;

/**
 * Removes the jobs of one person's events that would stay for long: dead letters, and calls that wait for their
 * next try. A job that waits for its first run, or is running, is left: it ends by itself within moments.
 *
 * @returns how many
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

/** States are read one by one: of several at once a page holds so many of each, and no place to go on from. */
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
    // What was removed no longer counts.
    start += jobs.length - owned.length;
  }
};

const isOwnedBy = (data: unknown, userId: string): boolean =>
  typeof data === 'object' && data !== null && 'userId' in data && data.userId === userId;
