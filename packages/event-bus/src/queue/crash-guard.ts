import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from 'bullmq';
import { z } from 'zod';
import { PermanentFailureError } from './queues.ts';

/** Worker crashes that a job may cause before it becomes a dead letter (docs/decisions/012). */
const MAX_CRASHES = 3;
/** Head start of such a job before the next one, in milliseconds: a job that crashes its worker does so at once. */
const HEAD_START_MS = 500;

/** Stored with a job: the crashes counted against it, and its stall count when it last started. */
const CrashRecordSchema = z.object({ crashes: z.number().int(), startedAtStall: z.number().int() });

type GuardedJob = Pick<Job, 'stalledCounter' | 'progress' | 'updateProgress'>;

const crashesOf = (job: GuardedJob): number => {
  const { data: record } = CrashRecordSchema.safeParse(job.progress);
  // The first crash is counted against every job that ran at the time, since any of them may have caused it.
  if (record === undefined) return Math.min(job.stalledCounter, 1);
  return record.crashes + (job.stalledCounter > record.startedAtStall ? 1 : 0);
};

/** Resets the crash count of a job, for the replay of a dead letter. */
export const resetCrashCount = (job: GuardedJob): Promise<void> =>
  job.updateProgress({ crashes: 0, startedAtStall: job.stalledCounter });

/**
 * Finds the job that crashes its workers among all that ran at the time. Jobs of a crashed worker start one after
 * the other, so that the next crash can be attributed to one of them. A job that crashed three workers is not
 * started again. Other jobs do not wait.
 *
 * @returns runs a job; rejects with PermanentFailureError after too many crashes, else as `run` does
 */
export const createCrashGuard = (): ((job: GuardedJob, run: () => Promise<void>) => Promise<void>) => {
  let lastTurn: Promise<unknown> = Promise.resolve();

  return async (job, run) => {
    if (job.stalledCounter === 0) return run();
    const crashes = crashesOf(job);
    if (crashes >= MAX_CRASHES) {
      throw new PermanentFailureError(`${crashes} workers died of this job`);
    }
    const precedingTurn = lastTurn;
    const turn = Promise.withResolvers<void>();
    lastTurn = turn.promise;
    await precedingTurn;
    try {
      await job.updateProgress({ crashes, startedAtStall: job.stalledCounter });
      const running = run();
      const headStart = new AbortController();
      await Promise.race([running, sleep(HEAD_START_MS, undefined, { signal: headStart.signal })]).finally(
        () => headStart.abort(),
      );
      turn.resolve();
      await running;
    } finally {
      turn.resolve();
    }
  };
};
