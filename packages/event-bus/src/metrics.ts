import type { Database } from '@mailsweep/database';
import { registerReading } from '@mailsweep/service-kit';
import type { Registry } from 'prom-client';
import { measureOutbox } from './outbox/outbox.repository.ts';
import type { QueueBackend } from './queue/queue-backend.ts';
import { QUEUE_NAMES } from './queue/queues.ts';

/** Registers the jobs of each queue by state, and dead letters; read when the metrics are. */
export const registerQueueMetrics = (registry: Registry, queue: Pick<QueueBackend, 'countJobs'>): void => {
  const read = () =>
    Promise.all(QUEUE_NAMES.map(async (name) => ({ name, counts: await queue.countJobs(name) })));
  registerReading(registry, read, [
    {
      name: 'mailsweep_queue_jobs',
      help: 'Jobs in each queue by state; absent while the queue is unavailable.',
      labelNames: ['queue', 'state'],
      show(gauge, readings) {
        for (const { name, counts } of readings) {
          const { failed: _deadLetters, ...states } = counts;
          for (const [state, count] of Object.entries(states)) gauge.set({ queue: name, state }, count);
        }
      },
    },
    {
      name: 'mailsweep_dead_letters',
      help: 'Jobs that failed for good and wait to be replayed; absent while the queue is unavailable.',
      labelNames: ['queue'],
      show(gauge, readings) {
        for (const { name, counts } of readings) gauge.set({ queue: name }, counts.failed);
      },
    },
  ]);
};

/** Registers how far publishing is behind, read when the metrics are; absent while the database is unavailable. */
export const registerOutboxMetrics = (registry: Registry, database: Database): void =>
  registerReading(registry, () => measureOutbox(database), [
    {
      name: 'mailsweep_outbox_unpublished',
      help: 'Events that have not reached the queue.',
      show: (gauge, { unpublished }) => gauge.set(unpublished),
    },
    {
      name: 'mailsweep_outbox_oldest_unpublished_seconds',
      help: 'Age of the oldest event that has not reached the queue; 0 when there is none.',
      show: (gauge, { oldestSeconds }) => gauge.set(oldestSeconds),
    },
    {
      name: 'mailsweep_webhook_deliveries_pending',
      help: 'Events whose webhook delivery is pending.',
      show: (gauge, { webhooksPending }) => gauge.set(webhooksPending),
    },
  ]);
