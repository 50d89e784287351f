import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { QueueBackend } from '../queue/queue-backend.ts';
import { PERSIST_QUEUE, PermanentFailureError, type QueueName, WEBHOOK_QUEUE } from '../queue/queues.ts';
import { describeOnEachQueue, eventually, openTestQueue } from '../testing/index.ts';
import { listDeadLetters } from './dead-letters.ts';
import { removeJobsOf } from './remove-jobs.ts';

describeOnEachQueue("the removal of a user's jobs", (kind) => {
  it('removes dead letters and calls that wait for their next attempt, in every queue', async () => {
    const queue = await openQueue();
    await addDeadLetters(queue, PERSIST_QUEUE, [{ userId: 'anna' }, { userId: 'bert' }]);
    await addDelayed(queue, [{ userId: 'anna' }, { userId: 'bert' }, { userId: 'anna' }]);
    expect(await removeJobsOf(queue, 'anna')).toBe(3);
    for (const queueName of [PERSIST_QUEUE, WEBHOOK_QUEUE] as const) {
      const left = await (await queue.openQueue(queueName)).getJobs();
      expect(left.map((job) => job.data)).toEqual([{ userId: 'bert' }]);
    }
  });

  it('leaves a job that waits for its first run', async () => {
    const queue = await openQueue();
    await queue.addJobs(WEBHOOK_QUEUE, [{ id: 'event-1', name: 'test', data: { userId: 'anna' } }]);
    expect(await removeJobsOf(queue, 'anna')).toBe(0);
    expect((await queue.countJobs(WEBHOOK_QUEUE)).waiting).toBe(1);
  });

  it('leaves jobs without a user id', async () => {
    const queue = await openQueue();
    await addDelayed(queue, ['anna', null, {}, [], { userId: null }]);
    expect(await removeJobsOf(queue, 'anna')).toBe(0);
    expect((await queue.countJobs(WEBHOOK_QUEUE)).delayed).toBe(5);
  });

  it('finds them behind any number of jobs of others', async () => {
    const queue = await openQueue();
    await addDeadLetters(queue, WEBHOOK_QUEUE, [{ userId: 'bert' }]);
    const data = Array.from({ length: 1_003 }, (_, position) => ({
      userId: [0, 499, 500, 501, 1_002].includes(position) ? 'anna' : 'bert',
    }));
    await addDelayed(queue, data);
    expect(await removeJobsOf(queue, 'anna')).toBe(5);
    expect(await queue.countJobs(WEBHOOK_QUEUE)).toMatchObject({ delayed: 998, failed: 1 });
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

  /** Jobs that wait for their next try, the first one the soonest. */
  const addDelayed = async (queue: QueueBackend, data: unknown[]) => {
    const jobs = data.map((each, position) => ({
      name: 'test',
      data: each,
      opts: { jobId: `delayed-${position}`, delay: 3_600_000 + position * 1_000 },
    }));
    await (await queue.openQueue(WEBHOOK_QUEUE)).addBulk(jobs);
  };

  const addDeadLetters = async (queue: QueueBackend, queueName: QueueName, data: unknown[]) => {
    await queue.addJobs(
      queueName,
      data.map((each, position) => ({ id: `dead-${position}`, name: 'test', data: each })),
    );
    const hopeless = () => Promise.reject(new PermanentFailureError('makes no sense'));
    const worker = queue.startWorker(queueName, hopeless, { concurrency: 1 });
    await eventually(async () => expect(await listDeadLetters(queue)).toHaveLength(data.length));
    await worker.close(5_000);
  };
});
