import { exponentialDelay, type RetryDelay, scheduledDelay } from '@mailsweep/service-kit';
import {
  type DefaultJobOptions,
  type IQueueBackend,
  type Processor,
  type Queue,
  UnrecoverableError,
  type Worker,
} from 'bullmq';

/** The job can never succeed: it becomes a dead letter at once. */
export class PermanentFailureError extends UnrecoverableError {
  readonly code = 'permanent_failure';
}

/** The job failed and says itself when to try again, in milliseconds from now. */
export class RetryLaterError extends Error {
  override readonly name = 'RetryLaterError';
  readonly code = 'retry_later';
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs: number, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Domain events for the worker; a job's data is the event, its id the event's id. */
export const DOMAIN_EVENTS_QUEUE = 'domain-events';
/** One delivery per subscriber of an event, so that each retries by itself. */
export const PERSIST_QUEUE = 'deliver-persist';
export const WEBHOOK_QUEUE = 'deliver-webhook';

export const QUEUE_NAMES = [DOMAIN_EVENTS_QUEUE, PERSIST_QUEUE, WEBHOOK_QUEUE] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

/** To which jobs are added to find out whether that works; nobody reads it. */
export const PROBE_QUEUE = 'probe';
export type KnownQueueName = QueueName | typeof PROBE_QUEUE;

/** A job that the doctor adds to the queue of events, and a worker answers; it stands for nothing that happened. */
export const DOCTOR_JOB = 'doctor';

interface RetryPolicy {
  /** Most attempts at a job, the first included. */
  attempts: number;
  retryDelayMs: RetryDelay;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Waits between calls of a receiver outside, after the example schedule of Standard Webhooks, with one more at its end: a
 * receiver that was down for a day gets the event however the jitter falls (30 h at least, 37.6 h on average).
 */
const DELIVERY_DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
];

/** For calls of receivers outside: the workflow service and push services. */
export const DELIVERY_RETRIES: RetryPolicy = {
  attempts: DELIVERY_DELAYS_MS.length + 1,
  retryDelayMs: scheduledDelay(DELIVERY_DELAYS_MS),
};

/** Retries that follow what a receiver asks for alone; later ones also wait for the backoff, so that attempts last. */
const FAST_RETRIES = 3;

/** How long to wait before the next attempt, where the receiver may have said when it wants one, in milliseconds. */
export const toRetryDelayMs = (
  backoffMs: number,
  attemptsMade: number,
  retryAfterMs: number | undefined,
): number => {
  if (retryAfterMs === undefined) return backoffMs;
  return attemptsMade <= FAST_RETRIES ? retryAfterMs : Math.max(retryAfterMs, backoffMs);
};

/** For work that fails only while the database or the queue is unavailable: retries for about eight hours. */
export const OUTAGE_POLICY: RetryPolicy = {
  attempts: 1_000,
  retryDelayMs: exponentialDelay({ firstMs: 100, longestMs: 30 * SECOND_MS }),
};

export const RETRY_POLICIES: Record<QueueName, RetryPolicy> = {
  [DOMAIN_EVENTS_QUEUE]: OUTAGE_POLICY,
  [PERSIST_QUEUE]: OUTAGE_POLICY,
  [WEBHOOK_QUEUE]: DELIVERY_RETRIES,
};

const DEAD_LETTER_AGE_S = (30 * 24 * HOUR_MS) / SECOND_MS;

/**
 * What every job of a queue is added with. A finished job leaves nothing behind: its data holds subjects, and
 * a kept job of the same id would swallow an event that is published again (docs/decisions/012).
 */
export const jobOptionsOf = (queueName: KnownQueueName): DefaultJobOptions => ({
  // No job of another queue is ever processed.
  attempts: queueName in RETRY_POLICIES ? RETRY_POLICIES[queueName as QueueName].attempts : 1,
  backoff: { type: 'policy' },
  removeOnComplete: true,
  removeOnFail: { age: DEAD_LETTER_AGE_S },
  stackTraceLimit: 3,
});

/** When another worker takes over the job of a crashed one, in milliseconds. */
export interface StallSettings {
  /** How long a worker may be silent before its jobs count as stalled. */
  lockDuration: number;
  /** How often stalled jobs are looked for; a job counts as stalled at the second check. */
  stalledInterval: number;
}

/** A lock of 6 s looked at every 3 s brings a job back within 12 s of a kill. */
export const STALL_SETTINGS: StallSettings = { lockDuration: 6_000, stalledInterval: 3_000 };

/**
 * BullMQ cannot tell which job crashed a worker; the crash guard can, and gives a job up long before this count.
 */
export const MAX_STALLED_COUNT = 1_000;

export type AnyQueue = Queue<unknown, unknown, string, unknown, unknown, string, IQueueBackend, never>;
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
