import type { Database } from '@mailsweep/database';
import {
  DOMAIN_EVENTS_QUEUE,
  type JobOutcome,
  LOG_QUEUE,
  PERSIST_QUEUE,
  type ProcessJob,
  type QueueBackend,
  type QueueName,
  type RetryDelay,
  WEBHOOK_QUEUE,
} from '@mailsweep/event-bus';
import type { Logger } from '@mailsweep/service-kit';
import { executeDispatchEvent } from './dispatch/dispatch-event.ts';
import { executeLogEvent } from './subscribers/log-event.ts';
import { executePersistNotificationEvent } from './subscribers/persist-notification-event.ts';
import { executeSendWebhook } from './subscribers/send-webhook.ts';
import type { PostWebhook } from './webhook/post-webhook.ts';

export interface ConsumerDependencies {
  database: Database;
  queue: QueueBackend;
  logger: Logger;
  now: () => Date;
  /** Absent: there is no workflow service. */
  webhook: { post: PostWebhook; signingSecret: string | undefined } | undefined;
  /** Jobs of each queue done at once. */
  concurrency: number;
  onOutcome: (queueName: QueueName, outcome: JobOutcome) => void;
  /** In place of the queues' own policies. */
  retryDelayMs?: RetryDelay;
}

/** What each queue's jobs are for. */
const toProcessors = (dependencies: ConsumerDependencies): Partial<Record<QueueName, ProcessJob>> => {
  const { webhook } = dependencies;
  const dispatch = { ...dependencies, hasWebhook: webhook !== undefined };
  return {
    [DOMAIN_EVENTS_QUEUE]: (job) => executeDispatchEvent(dispatch, job),
    [PERSIST_QUEUE]: (job) => executePersistNotificationEvent(dependencies, job),
    [LOG_QUEUE]: (job) => executeLogEvent(dependencies, job),
    ...(webhook && { [WEBHOOK_QUEUE]: (job) => executeSendWebhook({ ...dependencies, ...webhook }, job) }),
  };
};

/**
 * Starts taking jobs from all queues.
 *
 * @returns closes them again: takes no further job, lets the running ones finish within the deadline, in
 *   milliseconds, and answers whether they did
 */
export const startConsumers = (
  dependencies: ConsumerDependencies,
): { close(deadlineMs: number): Promise<boolean> } => {
  const { queue, concurrency, onOutcome, retryDelayMs } = dependencies;
  const workers = Object.entries(toProcessors(dependencies)).map(([name, process]) => {
    const queueName = name as QueueName;
    return queue.startWorker(queueName, process, {
      concurrency,
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
