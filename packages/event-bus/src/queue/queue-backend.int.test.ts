import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { createRecordingLogger, openFaultProxy } from '@mailsweep/service-kit/testing';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { describeOnEachQueue, eventually, openTestQueue, queueUrlOf } from '../testing/index.ts';
import { openQueueBackend, type QueueBackend } from './queue-backend.ts';
import { PERSIST_QUEUE, WEBHOOK_QUEUE } from './queues.ts';

describeOnEachQueue('the queues', (kind) => {
  it('report which backend they use, and respond to a ping', async () => {
    const queue = await openQueue();
    expect(queue.kind).toBe(kind);
    await expect(queue.ping()).resolves.toBeUndefined();
  });

  it.each([0, 1, 3])('take %i jobs at once, with name and data', async (count) => {
    const queue = await openQueue();
    const jobs = Array.from({ length: count }, (_, number) => ({
      id: `event-${number}`,
      name: `test-${number}`,
      data: { number },
    }));
    await queue.addJobs(WEBHOOK_QUEUE, jobs);
    expect(await queue.countJobs(WEBHOOK_QUEUE)).toEqual({
      waiting: count,
      active: 0,
      delayed: 0,
      failed: 0,
    });
    expect((await queue.countJobs(PERSIST_QUEUE)).waiting).toBe(0);
    for (const job of jobs)
      expect(await (await queue.openQueue(WEBHOOK_QUEUE)).getJob(job.id)).toMatchObject(job);
  });

  it('open each queue once', async () => {
    const queue = await openQueue();
    expect(await queue.openQueue(WEBHOOK_QUEUE)).toBe(await queue.openQueue(WEBHOOK_QUEUE));
    expect((await queue.openQueue(PERSIST_QUEUE)).name).toBe(PERSIST_QUEUE);
  });

  it('log when an outage begins and when it ends', async () => {
    const proxy = await openFaultProxy(queueUrlOf(kind, db.url));
    onTestFinished(() => proxy.close());
    const { logger, lines } = createRecordingLogger();
    const queue = await openTestQueue(kind, { databaseUrl: db.url, queueUrl: proxy.url, logger });
    onTestFinished(() => queue.close());
    const worker = queue.startWorker(WEBHOOK_QUEUE, async () => undefined, { concurrency: 1 });
    onTestFinished(async () => void (await worker.close(5_000)));
    await queue.addJobs(WEBHOOK_QUEUE, [{ id: 'event-1', name: 'test', data: {} }]);
    proxy.cut();
    await eventually(() =>
      expect(lines.map((line) => line.msg)).toContain('the queue: unavailable, retrying'),
    );
    await expect(queue.ping()).rejects.toThrow();
    proxy.heal();
    await eventually(() => queue.addJobs(WEBHOOK_QUEUE, [{ id: 'event-2', name: 'test', data: {} }]));
    await eventually(() => expect(lines.map((line) => line.msg)).toContain('the queue: available again'));
  });

  it('accept jobs once the backend is available, even after failed attempts', async () => {
    const proxy = await openFaultProxy(queueUrlOf(kind, db.url));
    onTestFinished(() => proxy.close());
    proxy.cut();
    const queue = await openTestQueue(kind, { databaseUrl: db.url, queueUrl: proxy.url });
    onTestFinished(() => queue.close());
    const addJob = () => queue.addJobs(WEBHOOK_QUEUE, [{ id: 'event-1', name: 'test', data: {} }]);
    for (let attempt = 1; attempt <= 2; attempt += 1) await expect(addJob()).rejects.toThrow();
    proxy.heal();
    await eventually(addJob);
    expect((await queue.countJobs(WEBHOOK_QUEUE)).waiting).toBe(1);
  });

  it('do nothing once they are closed, and may be closed twice', async () => {
    const queue = await openQueue();
    await queue.addJobs(WEBHOOK_QUEUE, [{ id: 'event-1', name: 'test', data: {} }]);
    await Promise.all([queue.close(), queue.close()]);
    await expect(queue.ping()).rejects.toThrow();
  });

  let db: TestDatabase;
  beforeEach(async () => {
    db = await createTestDatabase();
  });
  afterEach(() => db.drop());

  const openQueue = async (): Promise<QueueBackend> => {
    const queue = await openTestQueue(kind, { databaseUrl: db.url });
    onTestFinished(() => queue.close());
    return queue;
  };
});

it('the queues on Postgres keep the options of the connection string', async () => {
  const db = await createTestDatabase();
  onTestFinished(() => db.drop());
  const url = new URL(db.url);
  url.searchParams.set('options', '-c default_transaction_read_only=on');
  const queue = await openTestQueue('postgres', { databaseUrl: url.href });
  onTestFinished(() => queue.close());
  await queue.ping();
  const adding = queue.addJobs(WEBHOOK_QUEUE, [{ id: 'event-1', name: 'test', data: {} }]);
  await expect(adding).rejects.toThrow('read-only');
});

it('the queues on Postgres need only one connection, also to create their tables', async () => {
  const db = await createTestDatabase();
  onTestFinished(() => db.drop());
  await db.query('DROP SCHEMA bullmq CASCADE');
  const { logger } = createRecordingLogger();
  const queue = await openQueueBackend({ databaseUrl: db.url, logger, poolSize: 1 });
  onTestFinished(() => queue.close());
  await queue.addJobs(WEBHOOK_QUEUE, [{ id: 'event-1', name: 'test', data: {} }]);
  expect((await queue.countJobs(WEBHOOK_QUEUE)).waiting).toBe(1);
});
