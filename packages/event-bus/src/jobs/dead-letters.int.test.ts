import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { QueueBackend } from '../queue/queue-backend.ts';
import {
  DOMAIN_EVENTS_QUEUE,
  PERSIST_QUEUE,
  PermanentFailureError,
  type QueueName,
  WEBHOOK_QUEUE,
} from '../queue/queues.ts';
import { describeOnEachQueue, eventually, openTestQueue } from '../testing/index.ts';
import { listDeadLetters, replayDeadLetters } from './dead-letters.ts';

describeOnEachQueue('dead letters', (kind) => {
  it('are listed queue by queue, oldest first, with the time of their failure', async () => {
    const queue = await openQueue();
    const { workedFrom } = await addDeadLetters(queue, WEBHOOK_QUEUE, ['event-2']);
    await addDeadLetters(queue, PERSIST_QUEUE, ['event-3', 'event-1']);
    const letters = await listDeadLetters(queue);
    expect(letters.map(({ queueName, id }) => [queueName, id])).toEqual([
      [PERSIST_QUEUE, 'event-3'],
      [PERSIST_QUEUE, 'event-1'],
      [WEBHOOK_QUEUE, 'event-2'],
    ]);
    for (const { failedAt } of letters) {
      expect(failedAt.getTime()).toBeGreaterThanOrEqual(workedFrom);
      expect(failedAt.getTime()).toBeLessThanOrEqual(Date.now());
    }
  });

  it('are all listed, however many there are', async () => {
    const queue = await openQueue();
    const ids = Array.from({ length: 501 }, (_, position) => `event-${position}`);
    await addDeadLetters(queue, DOMAIN_EVENTS_QUEUE, ids);
    const listed = (await listDeadLetters(queue)).map((letter) => letter.id);
    expect(listed.toSorted()).toEqual(ids.toSorted());
  });

  it('are kept for 30 days, while finished jobs are removed at once', async () => {
    const queue = await openQueue();
    await addDeadLetters(queue, WEBHOOK_QUEUE, ['event-1']);
    const job = await (await queue.openQueue(WEBHOOK_QUEUE)).getJob('event-1');
    expect(job?.opts).toMatchObject({
      attempts: 9,
      backoff: { type: 'policy' },
      removeOnComplete: true,
      removeOnFail: { age: 30 * 24 * 60 * 60 },
    });
  });

  it('are replayed once when several processes replay them at once', async () => {
    const queue = await openQueue();
    await addDeadLetters(queue, WEBHOOK_QUEUE, ['event-1', 'event-2']);
    const letters = await listDeadLetters(queue);
    const replays = await Promise.all(Array.from({ length: 4 }, () => replayDeadLetters(queue)));
    expect(replays.flat().toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(letters);
    expect(await replayDeadLetters(queue)).toEqual([]);
    expect(await queue.countJobs(WEBHOOK_QUEUE)).toEqual({ waiting: 2, active: 0, delayed: 0, failed: 0 });
  });

  it('are skipped when they are removed between listing and replay', async () => {
    const queue = await openQueue();
    await addDeadLetters(queue, WEBHOOK_QUEUE, ['event-1']);
    let opened = 0;
    const openQueueOnceRemoved: QueueBackend['openQueue'] = async (name) => {
      const webhooks = await queue.openQueue(name);
      if (name !== WEBHOOK_QUEUE) return webhooks;
      opened += 1;
      if (opened === 2) await webhooks.remove('event-1');
      return webhooks;
    };
    expect(await replayDeadLetters({ ...queue, openQueue: openQueueOnceRemoved })).toEqual([]);
    expect(opened).toBe(2);
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

  const addDeadLetters = async (queue: QueueBackend, queueName: QueueName, ids: string[]) => {
    await queue.addJobs(
      queueName,
      ids.map((id) => ({ id, name: 'test', data: {} })),
    );
    const hopeless = () => Promise.reject(new PermanentFailureError('makes no sense'));
    const workedFrom = Date.now();
    const worker = queue.startWorker(queueName, hopeless, { concurrency: ids.length > 2 ? 20 : 1 });
    await eventually(async () => expect((await queue.countJobs(queueName)).failed).toBe(ids.length));
    await worker.close(5_000);
    return { workedFrom };
  };
});
