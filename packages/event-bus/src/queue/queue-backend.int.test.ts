import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { createRecordingLogger, openFaultProxy } from '@mailsweep/service-kit/testing';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, inject, it, onTestFinished } from 'vitest';
import { describeOnEachQueue, eventually, openTestQueue, queueUrlOf } from '../testing/index.ts';
import { openQueueBackend, type QueueBackend } from './queue-backend.ts';
import { PERSIST_QUEUE, PROBE_QUEUE, WEBHOOK_QUEUE } from './queues.ts';

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

  it('respond to pings without a trace in any queue', async () => {
    const [one, other] = [await openQueue(), await openQueue()];
    await Promise.all([one.ping(), other.ping(), one.ping()]);
    const probe = await one.openQueue(PROBE_QUEUE);
    expect(await probe.getJobCountByTypes('waiting', 'active', 'delayed', 'completed', 'failed')).toBe(0);
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
  await expect(queue.ping()).rejects.toThrow('read-only');
  const adding = queue.addJobs(WEBHOOK_QUEUE, [{ id: 'event-1', name: 'test', data: {} }]);
  await expect(adding).rejects.toThrow('read-only');
});

it.each([
  ['in a schema that the role owns', 'CREATE SCHEMA bullmq AUTHORIZATION mailsweep_service'],
  [
    'where the role may make the schema',
    "DO $$ BEGIN EXECUTE 'GRANT CREATE ON DATABASE ' || current_database() || ' TO mailsweep_service'; END $$",
  ],
])('the queues on Postgres need only one connection, also to create their tables %s', async (_where, sql) => {
  const db = await createTestDatabase();
  onTestFinished(() => db.drop());
  await db.query(`DROP SCHEMA bullmq CASCADE; ${sql}`);
  const { logger } = createRecordingLogger();
  const queue = await openQueueBackend({ databaseUrl: db.url, logger, poolSize: 1 });
  onTestFinished(() => queue.close());
  await queue.ping();
  await queue.addJobs(WEBHOOK_QUEUE, [{ id: 'event-1', name: 'test', data: {} }]);
  expect((await queue.countJobs(WEBHOOK_QUEUE)).waiting).toBe(1);
});

it('the queues on Postgres take jobs one by one from a role that may make no temporary tables', async () => {
  const db = await createTestDatabase();
  onTestFinished(() => db.drop());
  const change = (words: string) =>
    db.query(`DO $$ BEGIN EXECUTE format('${words} mailsweep_service', current_database()); END $$`);
  await change('REVOKE TEMPORARY ON DATABASE %I FROM');
  const { logger, lines } = createRecordingLogger();
  const queue = await openTestQueue('postgres', { databaseUrl: db.url, logger });
  onTestFinished(() => queue.close());
  await queue.ping();
  const addTwo = async (...ids: string[]) => {
    await queue.addJobs(
      WEBHOOK_QUEUE,
      ids.map((id) => ({ id, name: 'test', data: {} })),
    );
    const jobs = await (await queue.openQueue(WEBHOOK_QUEUE)).getWaiting();
    expect(jobs.map(({ id }) => id).slice(-2)).toEqual(ids);
  };
  await addTwo('event-1', 'event-2');
  await change('GRANT TEMPORARY ON DATABASE %I TO');
  await addTwo('event-3', 'event-4');
  await change('REVOKE TEMPORARY ON DATABASE %I FROM');
  await addTwo('event-5', 'event-6');
  // Once for each time that it begins.
  expect(lines.filter(({ msg }) => msg.includes('one by one'))).toHaveLength(2);
});

it.skipIf(inject('redisUrl') === null)(
  'the queues on Redis refuse a ping where they may not write',
  async () => {
    const redis = new Redis(inject('redisUrl') ?? '');
    const name = `reader-${randomUUID()}`;
    await redis.acl('SETUSER', name, 'on', '>password', '~*', '&*', '+@all', '-@write');
    onTestFinished(async () => {
      await redis.acl('DELUSER', name);
      redis.disconnect();
    });
    const url = Object.assign(new URL(inject('redisUrl') ?? ''), { username: name, password: 'password' });
    const queue = await openTestQueue('redis', { databaseUrl: '', queueUrl: url.href });
    onTestFinished(() => queue.close());
    await expect(queue.ping()).rejects.toThrow(/can't run|permissions/);
  },
);
