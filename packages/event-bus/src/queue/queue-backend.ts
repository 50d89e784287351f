import { createOutageLog, type Logger, resolvesWithin } from '@mailsweep/service-kit';
import { openPostgresDriver } from './postgres-driver.ts';
import type { AnyQueue } from './queue-driver.ts';
import { type ProcessJob, type QueueWorker, startWorker, type WorkerOptions } from './queue-worker.ts';
import type { KnownQueueName, QueueName } from './queues.ts';
import { openRedisDriver } from './redis-driver.ts';

/** Default number of connections for queues on Postgres. */
const DEFAULT_POOL_SIZE = 10;
const DEFAULT_PREFIX = 'mailsweep';
/** A worker whose job never ends keeps its connection; close() waits no longer than this, in milliseconds. */
const CLOSE_TIMEOUT_MS = 2_000;

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
  /** The dead letters. */
  failed: number;
}

const toBullJob = ({ id, name, data, traceParent }: NewJob) => ({
  name,
  data,
  opts: { jobId: id, ...(traceParent && { telemetry: { metadata: traceParent } }) },
});

/** The queues, on Redis or on Postgres. */
export interface QueueBackend {
  kind: 'redis' | 'postgres';
  /** Adds jobs. Rejects within seconds while the backend is unavailable. */
  addJobs(queueName: QueueName, jobs: NewJob[]): Promise<void>;
  /** Starts processing a queue's jobs, at the latest once the backend is available. */
  startWorker(queueName: QueueName, process: ProcessJob, options: WorkerOptions): QueueWorker;
  countJobs(queueName: QueueName): Promise<JobCounts>;
  /** BullMQ's own queue, to inspect and change its jobs. */
  openQueue(queueName: KnownQueueName): Promise<AnyQueue>;
  /** Rejects while the backend is unavailable. */
  ping(): Promise<void>;
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

  const closeAll = async () => {
    const opened = await Promise.allSettled(queues.values());
    for (const queue of opened) if (queue.status === 'fulfilled') await queue.value.close();
    await driver.close();
  };
  let closing: Promise<void> | undefined;

  return {
    kind: driver.kind,
    openQueue,
    async addJobs(queueName, jobs) {
      const queue = await openQueue(queueName);
      const [first, ...others] = jobs.map(toBullJob);
      if (first === undefined) return;
      // On Postgres addBulk() creates and drops two temporary tables, which a single job need not pay for.
      if (others.length === 0) await queue.add(first.name, first.data, first.opts);
      else await queue.addBulk([first, ...others]);
    },
    startWorker: (queueName, process, workerOptions) =>
      startWorker({ driver, queueName, process, logger, outageLog, ...workerOptions }),
    async countJobs(queueName) {
      const queue = await openQueue(queueName);
      const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'failed');
      const { waiting = 0, active = 0, delayed = 0, failed = 0 } = counts;
      return { waiting, active, delayed, failed };
    },
    ping: () => driver.ping(),
    async close() {
      closing ??= closeAll();
      await resolvesWithin(closing, CLOSE_TIMEOUT_MS);
    },
  };
};
