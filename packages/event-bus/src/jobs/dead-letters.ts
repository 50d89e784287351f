import type { Job } from 'bullmq';
import { acquit } from '../queue/crash-guard.ts';
import type { QueueBackend } from '../queue/queue-backend.ts';
import { QUEUE_NAMES, type QueueName } from '../queue/queues.ts';
import { unlessOvertaken } from './unless-overtaken.ts';

/** A job that failed for good and waits for somebody to look at it. Its data stays in the queue. */
export interface DeadLetter {
  queueName: QueueName;
  /** The event's id. */
  id: string;
  /** The event's type. */
  name: string;
  reason: string;
  attemptsMade: number;
  failedAt: Date;
}

/** Dead letters read at a time. */
const PAGE_SIZE = 500;

const readPage = async (queue: QueueBackend, queueName: QueueName, start: number) =>
  (await queue.openQueue(queueName)).getJobs(['failed'], start, start + PAGE_SIZE - 1, true);

/** All dead letters, those of one queue after the other, oldest first. */
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
 * @returns false when it is none any more: somebody else was faster
 */
export const revive = (job: Job): Promise<boolean> =>
  unlessOvertaken(async () => {
    await acquit(job);
    await job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true });
  });

/**
 * Puts dead letters back into their queues, with all their attempts before them.
 *
 * @param id - only those of this event
 * @returns the dead letters replayed, without those that somebody else replayed or removed at the same time
 */
export const replayDeadLetters = async (queue: QueueBackend, id?: string): Promise<DeadLetter[]> => {
  const letters = (await listDeadLetters(queue)).filter((letter) => id === undefined || letter.id === id);
  const replayed: DeadLetter[] = [];
  for (const letter of letters) {
    const job = await (await queue.openQueue(letter.queueName)).getJob(letter.id);
    if (job !== undefined && (await revive(job))) replayed.push(letter);
  }
  return replayed;
};
