import type { Database } from '@mailsweep/database';
import { createSharedReading } from '@mailsweep/service-kit';
import { Gauge, type Registry } from 'prom-client';
import { measureOutbox } from './outbox/outbox.repository.ts';
import type { QueueBackend } from './queue/queue-backend.ts';
import { QUEUE_NAMES } from './queue/queues.ts';

/** Registers the jobs of each queue by state, and dead letters; read when the metrics are. */
export const registerQueueMetrics = (registry: Registry, queue: Pick<QueueBackend, 'countJobs'>): void => {
  const readCounts = createSharedReading(() =>
    Promise.all(QUEUE_NAMES.map(async (name) => ({ name, counts: await queue.countJobs(name) }))),
  );
  new Gauge({
    name: 'mailsweep_queue_jobs',
    help: 'Jobs in each queue by state; absent while the queue is unavailable.',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      const readings = await readCounts();
      this.reset();
      for (const { name, counts } of readings ?? []) {
        const { failed: _deadLetters, ...states } = counts;
        for (const [state, count] of Object.entries(states)) this.set({ queue: name, state }, count);
      }
    },
  });
  new Gauge({
    name: 'mailsweep_dead_letters',
    help: 'Jobs that failed for good and wait to be replayed; absent while the queue is unavailable.',
    labelNames: ['queue'],
    registers: [registry],
    async collect() {
      const readings = await readCounts();
      this.reset();
      for (const { name, counts } of readings ?? []) this.set({ queue: name }, counts.failed);
    },
  });
};

/** Registers how far publishing is behind, read when the metrics are; absent while the database is unavailable. */
export const registerOutboxMetrics = (registry: Registry, database: Database): void => {
  const readBacklog = createSharedReading(() => measureOutbox(database));
  const register = (
    name: string,
    help: string,
    pick: (backlog: Awaited<ReturnType<typeof measureOutbox>>) => number,
  ) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const backlog = await readBacklog();
        if (backlog === undefined) this.remove();
        else this.set(pick(backlog));
      },
    });
  register(
    'mailsweep_outbox_unpublished',
    'Events that have not reached the queue.',
    (backlog) => backlog.unpublished,
  );
  register(
    'mailsweep_outbox_oldest_unpublished_seconds',
    'Age of the oldest event that has not reached the queue; 0 when there is none.',
    (backlog) => backlog.oldestSeconds,
  );
  register(
    'mailsweep_webhook_deliveries_pending',
    'Events whose webhook delivery is pending.',
    (backlog) => backlog.webhooksPending,
  );
};
