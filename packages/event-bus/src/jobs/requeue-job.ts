import type { NewJob, QueueBackend } from '../queue/queue-backend.ts';
import type { QueueName } from '../queue/queues.ts';
import { replay } from './dead-letters.ts';
import { unlessStateChanged } from './unless-state-changed.ts';

/** What requeueing did; `in_flight`: nothing, because the job waits or runs already. */
export type Requeueing = 'added' | 'replayed' | 'promoted' | 'in_flight';

/**
 * Runs a job as soon as possible, whatever its state: adds it when the queue does not have it, replays a dead
 * letter, and promotes a job that waits for its next attempt.
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
  if ((await known.isFailed()) && (await replay(known))) return 'replayed';
  if (await unlessStateChanged(() => known.promote())) return 'promoted';
  return 'in_flight';
};
