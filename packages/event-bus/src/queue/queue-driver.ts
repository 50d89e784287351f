import type { IQueueBackend, Processor, Queue, Worker } from 'bullmq';
import type { QueueName } from './queues.ts';

/** A BullMQ queue, whatever it stands on. */
export type AnyQueue = Queue<unknown, unknown, string, unknown, unknown, string, IQueueBackend, never>;
/** A BullMQ worker, whatever it stands on. */
export type AnyWorker = Worker<unknown, unknown, string, IQueueBackend, never, never>;

interface WorkerSettings {
  concurrency: number;
  lockDuration: number;
  stalledInterval: number;
  maxStalledCount: number;
  runRetryDelay: number;
  settings: { backoffStrategy: (attemptsMade: number, type?: string, error?: Error) => number };
}

/** What Redis and Postgres have to offer to carry the queues. */
export interface QueueDriver {
  kind: 'redis' | 'postgres';
  /** Opens a queue to add jobs to and to look into. Rejects fast while the backend is out of reach. */
  openQueue(name: QueueName): Promise<AnyQueue>;
  /** Starts taking jobs. Rejects fast, or begins once the backend is there. */
  openWorker(
    name: QueueName,
    process: Processor<unknown, unknown>,
    settings: WorkerSettings,
  ): Promise<AnyWorker>;
  /** Rejects while the backend is out of reach. */
  ping(): Promise<void>;
  /** Closes what the queues and workers share; close those first. */
  close(): Promise<void>;
}

/** Longest wait for one answer of the backend, in milliseconds, so that nothing ever hangs on a dead one. */
export const QUEUE_TIMEOUT_MS = 3_000;
