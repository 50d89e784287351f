import { type JobOutcome, QUEUE_NAMES, type QueueBackend, type QueueName } from '@mailsweep/event-bus';
import { Counter, Gauge, type Registry } from 'prom-client';

/**
 * Registers the worker's metrics: attempts by queue and outcome, and how full each queue is, dead letters among
 * it, read when the metrics are.
 *
 * @returns counts an attempt
 */
export const registerWorkerMetrics = (
  registry: Registry,
  queue: Pick<QueueBackend, 'countJobs'>,
): ((queueName: QueueName, outcome: JobOutcome) => void) => {
  const attempts = new Counter({
    name: 'mailsweep_job_attempts_total',
    help: 'Attempts at jobs by queue and outcome: completed, retried or dead.',
    labelNames: ['queue', 'outcome'],
    registers: [registry],
  });
  const deadLetters = new Gauge({
    name: 'mailsweep_dead_letters',
    help: 'Jobs that failed for good and wait to be replayed.',
    labelNames: ['queue'],
    registers: [registry],
  });
  new Gauge({
    name: 'mailsweep_queue_jobs',
    help: 'Jobs in each queue by state; absent while the queue is out of reach.',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      this.reset();
      deadLetters.reset();
      for (const name of QUEUE_NAMES) {
        const counts = await queue.countJobs(name).catch(() => undefined);
        if (counts === undefined) return;
        const { failed, ...states } = counts;
        deadLetters.set({ queue: name }, failed);
        for (const [state, count] of Object.entries(states)) this.set({ queue: name, state }, count);
      }
    },
  });
  return (queueName, outcome) => attempts.inc({ queue: queueName, outcome });
};
