import type { IQueueBackend, Processor, Queue, Worker } from 'bullmq';
import type { KnownQueueName, QueueName } from './queues.ts';

/** A BullMQ queue on any backend. */
export type AnyQueue = Queue<unknown, unknown, string, unknown, unknown, string, IQueueBackend, never>;
/** A BullMQ worker on any backend. */
export type AnyWorker = Worker<unknown, unknown, string, IQueueBackend, never, never>;

interface WorkerSettings {
  concurrency: number;
  lockDuration: number;
  stalledInterval: number;
  maxStalledCount: number;
  runRetryDelay: number;
  settings: { backoffStrategy: (attemptsMade: number, type?: string, error?: Error) => number };
}

/** What a backend implements to run the queues. */
export interface QueueDriver {
  kind: 'redis' | 'postgres';
  /** Opens a queue to add and inspect jobs. Rejects fast while the backend is unavailable. */
  openQueue(name: KnownQueueName): Promise<AnyQueue>;
  /** Starts taking jobs. Rejects fast, or starts once the backend is available. */
  openWorker(
    name: QueueName,
    process: Processor<unknown, unknown>,
    settings: WorkerSettings,
  ): Promise<AnyWorker>;
  /** Rejects while the backend is unavailable. */
  ping(): Promise<void>;
  /** Closes the connections that queues and workers share; close those first. */
  close(): Promise<void>;
}

/** Longest wait for one response of the backend, in milliseconds, so that no call hangs. */
export const QUEUE_TIMEOUT_MS = 3_000;
