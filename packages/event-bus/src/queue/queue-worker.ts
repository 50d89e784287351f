import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '@mailsweep/database';
import { type Logger, type OutageLog, type RetryDelay, resolvesWithin } from '@mailsweep/service-kit';
import { inTraceOf } from '@mailsweep/service-kit/tracing';
import { DelayedError, type Job } from 'bullmq';
import { createCrashGuard } from './crash-guard.ts';
import {
  type AnyWorker,
  DOCTOR_JOB,
  MAX_STALLED_COUNT,
  OUTAGE_POLICY,
  type QueueDriver,
  type QueueName,
  RETRY_POLICIES,
  RetryLaterError,
  STALL_SETTINGS,
  type StallSettings,
  toRetryDelayMs,
} from './queues.ts';

/** Wait before a failed open or fetch is retried, in milliseconds. */
const REOPEN_PAUSE_MS = 1_000;

export interface QueuedJob {
  id: string;
  name: string;
  /** Not parsed yet. */
  data: unknown;
  /** 1 for the first. */
  attempt: number;
  /** The trace that it goes on. */
  traceParent: string | null;
}

/**
 * Processes a job. Rejecting fails the attempt: with a PermanentFailureError for good, with a RetryLaterError until
 * the time that it names, else until the queue's next retry. Where the database is unavailable the job waits for it,
 * however long, and no attempt is counted. Messages of errors are kept with the job and
 * logged, so they must contain no email content.
 */
export type ProcessJob = (job: QueuedJob) => Promise<void>;

export const JOB_OUTCOMES = ['completed', 'retried', 'dead'] as const;
/** How an attempt ended: `dead` jobs are not retried and become dead letters. */
export type JobOutcome = (typeof JOB_OUTCOMES)[number];

export interface WorkerOptions {
  /** Most jobs at once. */
  concurrency: number;
  answerDoctor?: ((question: unknown) => unknown) | undefined;
  onOutcome?: (outcome: JobOutcome) => void;
  /** Instead of the queue's own policy. */
  retryDelayMs?: RetryDelay;
  /** Instead of the default ones. */
  stallSettings?: StallSettings;
}

export interface QueueWorker {
  /**
   * Takes no further job and lets the running ones finish.
   *
   * @param deadlineMs - how long to wait for those; other workers take over what is still running then
   * @returns whether all finished
   */
  close(deadlineMs: number): Promise<boolean>;
}

interface WorkerDependencies extends WorkerOptions {
  driver: QueueDriver;
  queueName: QueueName;
  process: ProcessJob;
  logger: Logger;
  outageLog: OutageLog;
}

const traceParentOf = (job: Job | undefined): string | null => job?.opts.telemetry?.metadata ?? null;

const toQueuedJob = (job: Job): QueuedJob => {
  const { id = '', name, data, attemptsStarted: attempt } = job;
  return { id, name, data, attempt, traceParent: traceParentOf(job) };
};

const noteFailure = (dependencies: WorkerDependencies, job: Job | undefined, error: unknown): void => {
  const { queueName, logger, onOutcome } = dependencies;
  const isDead = job?.finishedOn !== undefined;
  const line = { err: error, queue: queueName, jobId: job?.id, attempt: job?.attemptsMade };
  inTraceOf(traceParentOf(job), () => {
    if (isDead) logger.error(line, 'job failed for good: it is now a dead letter');
    else logger.warn(line, 'job attempt failed: it will be retried');
  });
  onOutcome?.(isDead ? 'dead' : 'retried');
};

/** Runs a job, and puts it off where the database is unavailable. */
const createProcessor = (dependencies: WorkerDependencies) => {
  const { process, retryDelayMs = OUTAGE_POLICY.retryDelayMs } = dependencies;
  const guardAgainstCrashes = createCrashGuard();
  return async (job: Job, token?: string): Promise<unknown> => {
    if (job.name === DOCTOR_JOB) return dependencies.answerDoctor?.(job.data) ?? null;
    try {
      await guardAgainstCrashes(job, () => process(toQueuedJob(job)));
    } catch (error) {
      // Errors that quote a statement are wrapped.
      const cause = error instanceof Error ? error.cause : undefined;
      if (!isDatabaseUnavailable(error) && !isDatabaseUnavailable(cause)) throw error;
      await job.moveToDelayed(Date.now() + retryDelayMs(job.attemptsStarted), token);
      noteFailure(dependencies, job, error);
      throw new DelayedError();
    }
    return null;
  };
};

const watch = (worker: AnyWorker, dependencies: WorkerDependencies): void => {
  const { queueName, logger, outageLog, onOutcome } = dependencies;
  worker.on('active', outageLog.recovered);
  worker.on('completed', (job: Job) => {
    if (job.name !== DOCTOR_JOB) onOutcome?.('completed');
  });
  worker.on('failed', (job: Job | undefined, error: Error) => noteFailure(dependencies, job, error));
  worker.on('stalled', (jobId) =>
    logger.warn({ queue: queueName, jobId }, 'took over the job of a crashed worker'),
  );
};

/** Opens a worker, and retries while the backend is unavailable; undefined when closed before. */
const openWithRetry = async (
  dependencies: WorkerDependencies,
  closing: AbortSignal,
): Promise<AnyWorker | undefined> => {
  const { driver, queueName, outageLog } = dependencies;
  const retryDelayMs = dependencies.retryDelayMs ?? RETRY_POLICIES[queueName].retryDelayMs;
  const settings = {
    ...(dependencies.stallSettings ?? STALL_SETTINGS),
    maxStalledCount: MAX_STALLED_COUNT,
    concurrency: dependencies.concurrency,
    runRetryDelay: REOPEN_PAUSE_MS,
    settings: {
      backoffStrategy: (attemptsMade: number, _type?: string, error?: Error) =>
        toRetryDelayMs(
          retryDelayMs(attemptsMade),
          attemptsMade,
          error instanceof RetryLaterError ? error.retryAfterMs : undefined,
        ),
    },
  };
  const processor = createProcessor(dependencies);
  while (!closing.aborted) {
    try {
      const worker = await driver.openWorker(queueName, processor, settings);
      watch(worker, dependencies);
      return worker;
    } catch (error) {
      outageLog.failed(error);
      await sleep(REOPEN_PAUSE_MS, undefined, { signal: closing }).catch(() => undefined);
    }
  }
  return undefined;
};

/** Starts processing a queue's jobs, at the latest once the backend is available. */
export const startWorker = (dependencies: WorkerDependencies): QueueWorker => {
  const closing = new AbortController();
  const opening = openWithRetry(dependencies, closing.signal);
  return {
    async close(deadlineMs) {
      closing.abort();
      return resolvesWithin(
        opening.then((worker) => worker?.close()),
        deadlineMs,
      );
    },
  };
};
