import { ErrorCode, type Job } from 'bullmq';
import { resetCrashCount } from '../queue/crash-guard.ts';
import type { NewJob, QueueBackend } from '../queue/queue-backend.ts';
import { QUEUE_NAMES, type QueueName } from '../queue/queues.ts';

/** The job was removed, or another process changed its state. */
const STATE_CHANGED: readonly unknown[] = [ErrorCode.JobNotExist, ErrorCode.JobNotInState];

/**
 * Acts on a job that was in a certain state a moment ago. Workers and operators may change it at the same time.
 *
 * @returns false when the job was removed or is in another state by now
 */
export const unlessStateChanged = async (act: () => Promise<void>): Promise<boolean> => {
  try {
    await act();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && STATE_CHANGED.includes(error.code)) return false;
    throw error;
  }
};

/** A job that failed for good, kept for inspection and replay. Its data stays in the queue. */
export interface DeadLetter {
  queueName: QueueName;
  id: string;
  name: string;
  reason: string;
  attemptsMade: number;
  failedAt: Date;
}

const PAGE_SIZE = 500;

const readPage = async (queue: QueueBackend, queueName: QueueName, start: number) =>
  (await queue.openQueue(queueName)).getJobs(['failed'], start, start + PAGE_SIZE - 1, true);

/** All dead letters, queue by queue, oldest first. */
export const listDeadLetters = async (queue: QueueBackend): Promise<DeadLetter[]> => {
  const letters: DeadLetter[] = [];
  for (const queueName of QUEUE_NAMES) {
    for (let start = 0; ; start += PAGE_SIZE) {
      const jobs = await readPage(queue, queueName, start);
      for (const job of jobs) {
        letters.push({
          queueName,
          id: job.id ?? '',
          name: job.name,
          reason: job.failedReason,
          attemptsMade: job.attemptsMade,
          failedAt: new Date(job.finishedOn ?? job.timestamp),
        });
      }
      if (jobs.length < PAGE_SIZE) break;
    }
  }
  return letters;
};

/**
 * Puts a failed job back into its queue, as if it had never run.
 *
 * @returns false when the job is no longer a dead letter, because another process replayed or removed it
 */
const replay = (job: Job): Promise<boolean> =>
  unlessStateChanged(async () => {
    await resetCrashCount(job);
    await job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true });
  });

/**
 * Puts dead letters back into their queues, with all their attempts available again.
 *
 * @param id - only those of this event
 * @returns the dead letters replayed, without those that another process replayed or removed at the same time
 */
export const replayDeadLetters = async (queue: QueueBackend, id?: string): Promise<DeadLetter[]> => {
  const letters = (await listDeadLetters(queue)).filter((letter) => id === undefined || letter.id === id);
  const replayed: DeadLetter[] = [];
  for (const letter of letters) {
    const job = await (await queue.openQueue(letter.queueName)).getJob(letter.id);
    if (job !== undefined && (await replay(job))) replayed.push(letter);
  }
  return replayed;
};

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
