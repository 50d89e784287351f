import type { Database } from '@mailsweep/database';
import {
  JOB_OUTCOMES,
  type JobOutcome,
  QUEUE_NAMES,
  type QueueBackend,
  type QueueName,
  registerOutboxMetrics,
  registerQueueMetrics,
} from '@mailsweep/event-bus';
import { Counter, type Registry } from 'prom-client';

/**
 * Registers the worker's metrics: attempts by queue and outcome, jobs of each queue by state, and the backlog of
 * the outbox. Each subscriber has a queue of its own, so failures by queue are failures by subscriber.
 *
 * @returns counts an attempt
 */
export const registerWorkerMetrics = (
  registry: Registry,
  sources: { queue: Pick<QueueBackend, 'countJobs'>; database: Database },
): ((queueName: QueueName, outcome: JobOutcome) => void) => {
  registerQueueMetrics(registry, sources.queue);
  registerOutboxMetrics(registry, sources.database);
  const attempts = new Counter({
    name: 'mailsweep_job_attempts_total',
    help: 'Attempts at jobs by queue and outcome: completed, retried or dead.',
    labelNames: ['queue', 'outcome'],
    registers: [registry],
  });
  for (const queue of QUEUE_NAMES) for (const outcome of JOB_OUTCOMES) attempts.inc({ queue, outcome }, 0);
  return (queueName, outcome) => attempts.inc({ queue: queueName, outcome });
};
