import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, type OutageLog, type RetryDelay, resolvesWithin } from '@mailsweep/service-kit';
import { inTraceOf } from '@mailsweep/service-kit/tracing';
import type { Job } from 'bullmq';
import { createCrashGuard } from './crash-guard.ts';
import type { AnyWorker, QueueDriver } from './queue-driver.ts';
import {
  MAX_STALLED_COUNT,
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
 * the time that it names, else until the queue's next retry. Messages of errors are kept with the job and
 * logged, so they must contain no email content.
 */
export type ProcessJob = (job: QueuedJob) => Promise<void>;

export const JOB_OUTCOMES = ['completed', 'retried', 'dead'] as const;
/** How an attempt ended: `dead` jobs are not retried and become dead letters. */
export type JobOutcome = (typeof JOB_OUTCOMES)[number];

export interface WorkerOptions {
  /** Most jobs at once. */
  concurrency: number;
  /** Called after every attempt. */
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

const watch = (worker: AnyWorker, dependencies: WorkerDependencies): void => {
  const { queueName, logger, outageLog, onOutcome } = dependencies;
  worker.on('active', outageLog.recovered);
  worker.on('completed', () => onOutcome?.('completed'));
  worker.on('failed', (job: Job | undefined, error: Error) => {
    const isDead = job?.finishedOn !== undefined;
    const line = { err: error, queue: queueName, jobId: job?.id, attempt: job?.attemptsMade };
    inTraceOf(traceParentOf(job), () => {
      if (isDead) logger.error(line, 'job failed for good: it is now a dead letter');
      else logger.warn(line, 'job attempt failed: it will be retried');
    });
    onOutcome?.(isDead ? 'dead' : 'retried');
  });
  worker.on('stalled', (jobId) =>
    logger.warn({ queue: queueName, jobId }, 'took over the job of a crashed worker'),
  );
};

/** Opens a worker, and retries while the backend is unavailable; undefined when closed before. */
const openWithRetry = async (
  dependencies: WorkerDependencies,
  closing: AbortSignal,
): Promise<AnyWorker | undefined> => {
  const { driver, queueName, process, outageLog } = dependencies;
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
  const guardAgainstCrashes = createCrashGuard();
  const processor = (job: Job) => guardAgainstCrashes(job, () => process(toQueuedJob(job)));
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
