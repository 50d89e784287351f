import type { NewJob, QueueBackend } from '../queue/queue-backend.ts';
import type { QueueName } from '../queue/queues.ts';
import { revive } from './dead-letters.ts';
import { unlessOvertaken } from './unless-overtaken.ts';

/** What was done to have a job done once more: nothing when it is in the queue's hands already. */
export type Requeueing = 'added' | 'replayed' | 'hastened' | 'under_way';

/**
 * Has a job done as soon as may be, whatever became of it before: one that is not in the queue is added, a dead
 * letter is replayed, one that waits for its next attempt need not wait any longer.
 */
export const requeueJob = async (
  queue: QueueBackend,
  queueName: QueueName,
  job: NewJob,
): Promise<Requeueing> => {
  const known = await (await queue.openQueue(queueName)).getJob(job.id);
  if (known === undefined) {
    await queue.addJobs(queueName, [job]);
    return 'added';
  }
  if ((await known.isFailed()) && (await revive(known))) return 'replayed';
  if (await unlessOvertaken(() => known.promote())) return 'hastened';
  return 'under_way';
};
