import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '@mailsweep/database';
import {
  createOutageLog,
  type Logger,
  type OutageLog,
  type RetryDelay,
  resolvesWithin,
} from '@mailsweep/service-kit';
import { inTraceOf } from '@mailsweep/service-kit/tracing';
import { DelayedError, type Job } from 'bullmq';
import { createCrashGuard } from './crash-guard.ts';
import { openPostgresDriver } from './postgres-driver.ts';
import {
  type AnyQueue,
  type AnyWorker,
  DOCTOR_JOB,
  DOMAIN_EVENTS_QUEUE,
  type KnownQueueName,
  MAX_STALLED_COUNT,
  OUTAGE_POLICY,
  PROBE_QUEUE,
  type QueueDriver,
  type QueueName,
  RETRY_POLICIES,
  RetryLaterError,
  STALL_SETTINGS,
  type StallSettings,
  toRetryDelayMs,
} from './queues.ts';
import { openRedisDriver } from './redis-driver.ts';

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
const startWorker = (dependencies: WorkerDependencies): QueueWorker => {
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

const DEFAULT_POOL_SIZE = 10;
const DEFAULT_PREFIX = 'mailsweep';
/** A worker whose job never ends keeps its connection; close() waits no longer than this, in milliseconds. */
const CLOSE_TIMEOUT_MS = 2_000;
/** How long it is taken for granted that jobs can be added, in milliseconds: probes come every few seconds. */
const TRY_INTERVAL_MS = 30_000;
const ANSWER_POLL_MS = 100;
/** What Postgres says where a role lacks a right (PostgreSQL manual, appendix A). */
const INSUFFICIENT_PRIVILEGE = '42501';

/** A job to add; a job whose id the queue already has is ignored. */
export interface NewJob {
  id: string;
  name: string;
  data: unknown;
  /** The trace that it goes on; BullMQ keeps it beside the data, through retries and replays. */
  traceParent?: string | null | undefined;
}

export interface JobCounts {
  waiting: number;
  active: number;
  delayed: number;
  failed: number;
}

const toBullJob = ({ id, name, data, traceParent }: NewJob) => ({
  name,
  data,
  opts: { jobId: id, ...(traceParent && { telemetry: { metadata: traceParent } }) },
});

export interface QueueBackend {
  kind: 'redis' | 'postgres';
  /** Adds jobs. Rejects within seconds while the backend is unavailable. */
  addJobs(queueName: QueueName, jobs: NewJob[]): Promise<void>;
  /** Starts processing a queue's jobs, at the latest once the backend is available. */
  startWorker(queueName: QueueName, process: ProcessJob, options: WorkerOptions): QueueWorker;
  countJobs(queueName: QueueName): Promise<JobCounts>;
  /** BullMQ's own queue, to inspect and change its jobs. */
  openQueue(queueName: KnownQueueName): Promise<AnyQueue>;
  /**
   * Rejects while jobs cannot be added. At first, after failures and every half a minute it adds two to a queue that
   * nobody reads, and removes them: a backend can respond and yet refuse that.
   */
  ping(): Promise<void>;
  /**
   * Has a worker answer a question of the doctor, ahead of all other jobs; rejects when none did in time. Null: it cannot
   * read the question.
   */
  askWorker(question: string, timeoutMs: number): Promise<unknown>;
  /** Closes all queues. Close the workers first. */
  close(): Promise<void>;
}

/**
 * Opens the queues: on Redis when there is an address, else on Postgres. Does not fail while the backend is
 * unavailable: a process starts without it, and connects once it is available.
 *
 * @param options.redisPrefix - begins every key in Redis
 * @param options.poolSize - most connections to Postgres; each worker holds one of them for itself
 */
export const openQueueBackend = async (options: {
  redisUrl?: string | undefined;
  databaseUrl: string;
  logger: Logger;
  redisPrefix?: string;
  poolSize?: number;
}): Promise<QueueBackend> => {
  const { redisUrl, databaseUrl, logger } = options;
  const outageLog = createOutageLog(logger, 'the queue');
  const driver =
    redisUrl === undefined
      ? openPostgresDriver({ databaseUrl, poolSize: options.poolSize ?? DEFAULT_POOL_SIZE, outageLog })
      : await openRedisDriver({ redisUrl, prefix: options.redisPrefix ?? DEFAULT_PREFIX, outageLog });

  const queues = new Map<KnownQueueName, Promise<AnyQueue>>();
  const openQueue = (name: KnownQueueName): Promise<AnyQueue> => {
    const known = queues.get(name);
    if (known !== undefined) return known;
    const opening = driver.openQueue(name);
    queues.set(name, opening);
    opening.catch(() => queues.delete(name));
    return opening;
  };

  let isBulkRefused = false;
  /** @returns whether the queue took them; false where it takes none in bulk from the role that we have */
  const addInBulk = async (queue: AnyQueue, jobs: ReturnType<typeof toBullJob>[]): Promise<boolean> => {
    try {
      await queue.addBulk(jobs);
      isBulkRefused = false;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === INSUFFICIENT_PRIVILEGE)) throw error;
      if (!isBulkRefused)
        logger.warn(
          { err: error },
          'the queue takes no jobs in bulk, but one by one: GRANT TEMPORARY ON DATABASE',
        );
      isBulkRefused = true;
    }
    return !isBulkRefused;
  };
  const addJobs = async (queueName: KnownQueueName, newJobs: NewJob[]): Promise<void> => {
    const queue = await openQueue(queueName);
    const jobs = newJobs.map(toBullJob);
    // On Postgres addBulk() creates and drops two temporary tables, which a single job need not pay for.
    if (jobs.length > 1 && (await addInBulk(queue, jobs))) return;
    for (const job of jobs) await queue.add(job.name, job.data, job.opts);
  };

  let nextTryMs = 0;
  const ping = async () => {
    await driver.ping();
    if (performance.now() < nextTryMs) return;
    await addJobs(
      PROBE_QUEUE,
      ['one', 'two'].map((id) => ({ id, name: 'probe', data: {} })),
    );
    // Also what a process left that ended in between.
    await (await openQueue(PROBE_QUEUE)).drain();
    nextTryMs = performance.now() + TRY_INTERVAL_MS;
  };

  const askWorker = async (question: string, timeoutMs: number): Promise<unknown> => {
    const endsAtMs = performance.now() + timeoutMs;
    const queue = await openQueue(DOMAIN_EVENTS_QUEUE);
    // Kept until its answer is read.
    const options = { lifo: true, attempts: 1, removeOnComplete: { age: 60 }, removeOnFail: true };
    const job = await queue.add(DOCTOR_JOB, question, options);
    try {
      while (performance.now() < endsAtMs) {
        if (await job.isCompleted()) return (await queue.getJob(job.id ?? ''))?.returnvalue;
        await sleep(ANSWER_POLL_MS);
      }
      throw new Error('no worker answered');
    } finally {
      // One that a worker holds just now is removed by itself.
      await job.remove().catch(() => undefined);
    }
  };

  const closeAll = async () => {
    const opened = await Promise.allSettled(queues.values());
    for (const queue of opened) if (queue.status === 'fulfilled') await queue.value.close();
    await driver.close();
  };
  let closing: Promise<void> | undefined;

  return {
    kind: driver.kind,
    openQueue,
    addJobs,
    askWorker,
    startWorker: (queueName, process, workerOptions) =>
      startWorker({ driver, queueName, process, logger, outageLog, ...workerOptions }),
    async countJobs(queueName) {
      const queue = await openQueue(queueName);
      const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'failed');
      const { waiting = 0, active = 0, delayed = 0, failed = 0 } = counts;
      return { waiting, active, delayed, failed };
    },
    ping: () =>
      ping().catch((error: unknown) => {
        nextTryMs = 0;
        throw error;
      }),
    async close() {
      closing ??= closeAll();
      await resolvesWithin(closing, CLOSE_TIMEOUT_MS);
    },
  };
};
