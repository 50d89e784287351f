import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { createRecordingLogger, openFaultProxy } from '@mailsweep/service-kit/testing';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { QueueBackend } from '../queue/queue-backend.ts';
import { DOMAIN_EVENTS_QUEUE } from '../queue/queues.ts';
import {
  describeOnEachQueue,
  domainEvents,
  eventually,
  openTestQueue,
  queueUrlOf,
} from '../testing/index.ts';
import { publish } from './outbox.repository.ts';
import { createOutboxRelay, type EventSink } from './outbox-relay.ts';

describeOnEachQueue('the outbox relay', (kind) => {
  it('brings an event to the queue: the bare event as data, its id as the job id', async () => {
    const queue = await openQueue();
    const id = await publishConfirmed();
    startRelay(queue);
    await eventually(async () => expect(await countUnpublished()).toBe(0));
    const job = await (await queue.openQueue(DOMAIN_EVENTS_QUEUE)).getJob(id);
    expect(job).toMatchObject({ name: 'domain.suggestions.confirmed', data: domainEvents.confirmed() });
  });

  it('publishes a just committed event without waiting for its timer when woken', async () => {
    const queue = await openQueue();
    const relay = startRelay(queue);
    await eventually(async () => expect((await queue.countJobs(DOMAIN_EVENTS_QUEUE)).waiting).toBe(0));
    await publishConfirmed();
    relay.wake();
    await vi.waitFor(async () => expect(await countUnpublished()).toBe(0), { timeout: 1_500, interval: 20 });
  });

  it('publishes a backlog of several batches in the order of the events', async () => {
    const batches: string[][] = [];
    const sink: EventSink = {
      addJobs: async (_name, jobs) => void batches.push(jobs.map((job) => job.id)),
    };
    const ids: string[] = [];
    for (let count = 0; count < 203; count += 1) ids.push(await publishConfirmed());
    startRelay(sink);
    await eventually(() => expect(batches.flat()).toEqual(ids));
    expect(batches.map((batch) => batch.length)).toEqual([100, 100, 3]);
  });

  it('adds no jobs while there is nothing to publish', async () => {
    const batches: unknown[] = [];
    const relay = startRelay({ addJobs: async (_name, jobs) => void batches.push(jobs) });
    await relay.close();
    expect(batches).toEqual([]);
  });

  it('stays idle while there is nothing to publish', async () => {
    let looks = 0;
    const counting = new Proxy(db.database, {
      get(target, name) {
        if (name === '$transaction') looks += 1;
        return Reflect.get(target, name, target);
      },
    });
    const { logger } = createRecordingLogger();
    const relay = createOutboxRelay({ database: counting, queue: await openQueue(), logger });
    onTestFinished(() => relay.close());
    await eventually(() => expect(looks).toBe(1));
    // Time enough for a relay that does not idle.
    for (let round = 0; round < 20; round += 1) await countUnpublished();
    expect(looks).toBe(1);
  });

  it('publishes each event once, however many replicas run', async () => {
    const queue = await openQueue();
    const added: string[] = [];
    const counting: EventSink = {
      addJobs: async (name, jobs) => {
        added.push(...jobs.map((job) => job.id));
        await queue.addJobs(name, jobs);
      },
    };
    const ids = await Promise.all(Array.from({ length: 300 }, publishConfirmed));
    for (let replica = 0; replica < 3; replica += 1) startRelay(counting);
    await eventually(async () => expect(await countUnpublished()).toBe(0));
    expect(added.toSorted()).toEqual(ids.toSorted());
    expect((await queue.countJobs(DOMAIN_EVENTS_QUEUE)).waiting).toBe(300);
  });

  it('keeps events while the queue is down, logs the outage once, and publishes them afterwards', async () => {
    const proxy = await openFaultProxy(queueUrlOf(kind, db.url));
    onTestFinished(() => proxy.close());
    const { logger, lines } = createRecordingLogger();
    const queue = await openQueue({ queueUrl: proxy.url });
    await queue.addJobs(DOMAIN_EVENTS_QUEUE, []);
    let failures = 0;
    const failing: EventSink = {
      addJobs: (name, jobs) =>
        queue.addJobs(name, jobs).catch((error: unknown) => {
          failures += 1;
          throw error;
        }),
    };
    const relay = createOutboxRelay({ database: db.database, queue: failing, logger });
    onTestFinished(() => relay.close());

    proxy.cut();
    await publishConfirmed();
    relay.wake();
    await eventually(() => expect(failures).toBeGreaterThan(2));
    expect(await countUnpublished()).toBe(1);
    expect(lines.filter((line) => line.msg.includes('unavailable'))).toHaveLength(1);

    proxy.heal();
    await eventually(async () => expect(await countUnpublished()).toBe(0));
    await eventually(() =>
      expect(lines.map((line) => line.msg)).toContain('event publishing: available again'),
    );
  });

  it('starts while the queue is down, and publishes once it is up', async () => {
    const proxy = await openFaultProxy(queueUrlOf(kind, db.url));
    onTestFinished(() => proxy.close());
    proxy.cut();
    const queue = await openQueue({ queueUrl: proxy.url });
    await publishConfirmed();
    startRelay(queue);
    await expect(queue.ping()).rejects.toThrow();
    proxy.heal();
    await eventually(async () => expect(await countUnpublished()).toBe(0));
  });

  it('does not hang on a queue that no longer responds', async () => {
    const proxy = await openFaultProxy(queueUrlOf(kind, db.url));
    onTestFinished(() => proxy.close());
    const queue = await openQueue({ queueUrl: proxy.url });
    await queue.addJobs(DOMAIN_EVENTS_QUEUE, [{ id: 'first', name: 'test', data: {} }]);
    proxy.freeze();
    const stuck = queue.addJobs(DOMAIN_EVENTS_QUEUE, [{ id: 'second', name: 'test', data: {} }]);
    await expect(stuck).rejects.toThrow();
    proxy.heal();
  }, 10_000);

  it('does not add an event twice when the queue already has it', async () => {
    const queue = await openQueue();
    const job = { id: 'event-1', name: 'test', data: { number: 1 } };
    await queue.addJobs(DOMAIN_EVENTS_QUEUE, [job]);
    await queue.addJobs(DOMAIN_EVENTS_QUEUE, [{ ...job, data: { number: 2 } }]);
    expect((await queue.countJobs(DOMAIN_EVENTS_QUEUE)).waiting).toBe(1);
    expect((await (await queue.openQueue(DOMAIN_EVENTS_QUEUE)).getJob('event-1'))?.data).toEqual({
      number: 1,
    });
  });

  let db: TestDatabase;
  beforeEach(async () => {
    db = await createTestDatabase();
  });
  afterEach(() => db.drop());

  const openQueue = async (options: { queueUrl?: string } = {}): Promise<QueueBackend> => {
    const queue = await openTestQueue(kind, { databaseUrl: db.url, ...options });
    onTestFinished(() => queue.close());
    return queue;
  };

  const startRelay = (queue: EventSink) => {
    const relay = createOutboxRelay({
      database: db.database,
      queue,
      logger: createRecordingLogger().logger,
    });
    onTestFinished(() => relay.close());
    return relay;
  };

  const publishConfirmed = () => {
    const event = domainEvents.confirmed();
    return db.database.$transaction((tx) => publish(tx, event.type, event));
  };

  const countUnpublished = async () =>
    (await db.query('SELECT id FROM "OutboxEvent" WHERE "publishedAt" IS NULL')).length;
});
