import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { registerOutboxMetrics, registerQueueMetrics } from './metrics.ts';
import { markWebhooksPending, publish } from './outbox/outbox.repository.ts';
import { WEBHOOK_QUEUE } from './queue/queues.ts';
import { describeOnEachQueue, domainEvents, eventually, openTestQueue } from './testing/index.ts';

describeOnEachQueue('the metrics of the queues', (kind) => {
  it('count jobs by state, and dead letters separately', async () => {
    const queue = await openTestQueue(kind, { databaseUrl: db.url });
    onTestFinished(() => queue.close());
    const registry = new Registry();
    registerQueueMetrics(registry, queue);
    for (const id of ['event-1', 'event-2']) {
      await queue.addJobs(WEBHOOK_QUEUE, [{ id, name: 'test', data: 'not an event' }]);
    }
    expect(await registry.metrics()).toContain(
      'mailsweep_queue_jobs{queue="deliver-webhook",state="waiting"} 2',
    );

    const failing = () => Promise.reject(new Error('no'));
    const worker = queue.startWorker(WEBHOOK_QUEUE, failing, { concurrency: 2, retryDelayMs: () => 1 });
    onTestFinished(async () => void (await worker.close(1_000)));
    await eventually(async () => {
      const metrics = await registry.metrics();
      expect(metrics).toContain('mailsweep_dead_letters{queue="deliver-webhook"} 2');
      expect(metrics).toContain('mailsweep_queue_jobs{queue="deliver-webhook",state="waiting"} 0');
    });
  });

  let db: TestDatabase;
  beforeEach(async () => {
    db = await createTestDatabase();
  });
  afterEach(() => db.drop());
});

it('the metrics of the queues are absent while the queues are unavailable', async () => {
  let isAway = false;
  const registry = new Registry();
  registerQueueMetrics(registry, {
    countJobs: async () => {
      if (isAway) throw new Error('away');
      return { waiting: 1, active: 2, delayed: 3, failed: 4 };
    },
  });
  const there = await registry.metrics();
  expect(there).toContain('mailsweep_queue_jobs{queue="domain-events",state="delayed"} 3');
  expect(there).toContain('mailsweep_dead_letters{queue="domain-events"} 4');
  expect(there).not.toContain('state="failed"');
  isAway = true;
  expect(await registry.metrics()).not.toMatch(/^mailsweep_(queue_jobs|dead_letters)/m);
  isAway = false;
  expect(await registry.metrics()).toBe(there);
});

it('the metrics of the outbox are absent while the database is unavailable', async () => {
  const db = await createTestDatabase();
  const registry = new Registry();
  registerOutboxMetrics(registry, db.database);
  expect(await registry.metrics()).toMatch(/^mailsweep_webhook_deliveries_pending 0$/m);
  await db.drop();
  expect(await registry.metrics()).not.toMatch(/^mailsweep_outbox/m);
});

it('the metrics of the outbox show how far publishing is behind, and how many webhook deliveries are pending', async () => {
  const db = await createTestDatabase();
  onTestFinished(() => db.drop());
  const registry = new Registry();
  registerOutboxMetrics(registry, db.database);
  expect(await registry.metrics()).toContain('mailsweep_outbox_unpublished 0');

  for (let count = 0; count < 2; count += 1) {
    const event = domainEvents.generated();
    const id = await db.database.$transaction((tx) => publish(tx, event.type, event));
    if (count === 0) await markWebhooksPending(db.database, [id]);
  }
  // The column rounds to milliseconds, up as well as down.
  await db.database.$executeRaw`UPDATE "OutboxEvent" SET "createdAt" = now() - interval '75.5 seconds'`;
  const metrics = await registry.metrics();
  expect(metrics).toContain('mailsweep_outbox_unpublished 2');
  expect(metrics).toContain('mailsweep_webhook_deliveries_pending 1');
  expect(metrics).toMatch(/mailsweep_outbox_oldest_unpublished_seconds 7[5-9]/);
});
