import { DomainEventHeadSchema } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import {
  DOMAIN_EVENTS_QUEUE,
  type JobOutcome,
  PERSIST_QUEUE,
  type ProcessJob,
  type QueueBackend,
  type QueueName,
  WEBHOOK_QUEUE,
} from '@mailsweep/event-bus';
import type { Logger, RetryDelay } from '@mailsweep/service-kit';
import { inSpan, toMessageSpan } from '@mailsweep/service-kit/tracing';
import { type DispatchedEvent, executeDispatchEvents, executeStoreEvent } from './dispatch-events.ts';
import { createMicroBatch } from './micro-batch.ts';
import { parseJob } from './parse-job.ts';
import { executeSendWebhook, type SendWebhook } from './send-webhook.ts';

/** Events that one process takes at once: two full batches, one of them in flight. */
const CONCURRENCY = 200;
/** Deliveries to each subscriber in flight at once. */
const DELIVERY_CONCURRENCY = 16;
/** Most events dispatched together, and how long a batch waits for more, in milliseconds. */
const BATCH_SIZE = 100;
const BATCH_LINGER_MS = 5;
/**
 * Longest wait of a batch for the previous one, in milliseconds: less than the head start of a job whose worker
 * crashed, so that another crash is attributed to that job alone.
 */
const LONGEST_BATCH_WAIT_MS = 250;

export interface ConsumerDependencies {
  database: Database;
  queue: QueueBackend;
  logger: Logger;
  /** Absent: there is no workflow service. */
  sendWebhook: SendWebhook | undefined;
  /** Events in flight at once. */
  concurrency?: number;
  /** Deliveries to each subscriber in flight at once: a receiver may handle less load than the database. */
  deliveryConcurrency?: number;
  onOutcome: (queueName: QueueName, outcome: JobOutcome) => void;
  /** Instead of the queues' own policies. */
  retryDelayMs?: RetryDelay;
}

/** Shows each attempt at a delivery as a span on the trace of its event. Events themselves share the span of their batch. */
const inJobSpan =
  (queueName: QueueName, process: ProcessJob): ProcessJob =>
  (job) => {
    const [name, options] = toMessageSpan('process', queueName, job);
    return inSpan(name, { ...options, traceParents: [job.traceParent] }, () => process(job));
  };

/** The processor of each queue's jobs. */
const toProcessors = (dependencies: ConsumerDependencies): Partial<Record<QueueName, ProcessJob>> => {
  const { sendWebhook } = dependencies;
  const dispatch = { ...dependencies, hasWebhook: sendWebhook !== undefined };
  const dispatchBatch = createMicroBatch<DispatchedEvent>({
    // At most `concurrency` events can wait for a batch.
    maxSize: Math.min(BATCH_SIZE, dependencies.concurrency ?? CONCURRENCY),
    lingerMs: BATCH_LINGER_MS,
    longestWaitMs: LONGEST_BATCH_WAIT_MS,
    run: (events) => executeDispatchEvents(dispatch, events),
  });
  return {
    [DOMAIN_EVENTS_QUEUE]: async (job) =>
      dispatchBatch.add({ ...parseJob(DomainEventHeadSchema, job), traceParent: job.traceParent }),
    [PERSIST_QUEUE]: inJobSpan(PERSIST_QUEUE, (job) => executeStoreEvent(dependencies, job)),
    ...(sendWebhook && {
      [WEBHOOK_QUEUE]: inJobSpan(WEBHOOK_QUEUE, (job) =>
        executeSendWebhook({ ...dependencies, sendWebhook }, job),
      ),
    }),
  };
};

/**
 * Starts taking jobs from all queues.
 *
 * @returns close() takes no further job, lets jobs in flight finish within the deadline in milliseconds, and resolves
 *   to whether they did
 */
export const startConsumers = (
  dependencies: ConsumerDependencies,
): { close(deadlineMs: number): Promise<boolean> } => {
  const { queue, onOutcome, retryDelayMs } = dependencies;
  const { concurrency = CONCURRENCY, deliveryConcurrency = DELIVERY_CONCURRENCY } = dependencies;
  const workers = Object.entries(toProcessors(dependencies)).map(([name, process]) => {
    const queueName = name as QueueName;
    return queue.startWorker(queueName, process, {
      concurrency: queueName === DOMAIN_EVENTS_QUEUE ? concurrency : deliveryConcurrency,
      onOutcome: (outcome) => onOutcome(queueName, outcome),
      ...(retryDelayMs && { retryDelayMs }),
    });
  });
  return {
    async close(deadlineMs) {
      const finished = await Promise.all(workers.map((worker) => worker.close(deadlineMs)));
      return finished.every(Boolean);
    },
  };
};
