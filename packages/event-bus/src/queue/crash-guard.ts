import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from 'bullmq';
import { z } from 'zod';
import { PermanentFailureError } from './job-errors.ts';

/** Workers that may die of a job before it is given up (docs/decisions/012). */
const MAX_CRASHES = 3;
/** How long a suspect runs before the next one may begin, in milliseconds: what kills a worker does so at once. */
const HEAD_START_MS = 500;

/** What the guard remembers with a job: crashes put down to it, and its stall count when it last began. */
const SuspicionSchema = z.object({ crashes: z.number().int(), begunAtStall: z.number().int() });

type SuspectJob = Pick<Job, 'stalledCounter' | 'progress' | 'updateProgress'>;

const crashesOf = (job: SuspectJob): number => {
  const { data: suspicion } = SuspicionSchema.safeParse(job.progress);
  // Nobody knows who of all those that ran just then it was: each is given the first.
  if (suspicion === undefined) return Math.min(job.stalledCounter, 1);
  return suspicion.crashes + (job.stalledCounter > suspicion.begunAtStall ? 1 : 0);
};

/** Takes back what the guard holds against a job, for the replay of a dead letter. */
export const acquit = (job: SuspectJob): Promise<void> =>
  job.updateProgress({ crashes: 0, begunAtStall: job.stalledCounter });

/**
 * Finds the job that kills its workers among all that die with it. Jobs of a dead worker are suspects: they
 * begin one after the other, so that the next crash can be put down to one. A job that three workers died of
 * is not begun again. Other jobs don't wait for suspects.
 *
 * @returns runs a job; rejects with PermanentFailureError when it is to be given up, else as `run` does
 */
export const createCrashGuard = (): ((job: SuspectJob, run: () => Promise<void>) => Promise<void>) => {
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
      await job.updateProgress({ crashes, begunAtStall: job.stalledCounter });
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
