import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { NewJob, ProcessJob, QueueBackend } from '../queue/queue-backend.ts';
import { PermanentFailureError, WEBHOOK_QUEUE } from '../queue/queues.ts';
import { describeOnEachQueue, eventually, openTestQueue } from '../testing/index.ts';
import { listDeadLetters, requeueJob } from './dead-letters.ts';

const JOB: NewJob = { id: 'event-1', name: 'test', data: { number: 1 } };

describeOnEachQueue('requeueing a job', (kind) => {
  it('adds one that the queue does not know', async () => {
    const queue = await openQueue();
    expect(await requeueJob(queue, WEBHOOK_QUEUE, JOB)).toBe('added');
    const job = await (await queue.openQueue(WEBHOOK_QUEUE)).getJob(JOB.id);
    expect(job).toMatchObject({ name: JOB.name, data: JOB.data });
  });

  it('leaves one that waits for its first attempt where it is', async () => {
    const queue = await openQueue();
    await queue.addJobs(WEBHOOK_QUEUE, [JOB]);
    expect(await requeueJob(queue, WEBHOOK_QUEUE, JOB)).toBe('in_flight');
    expect(await queue.countJobs(WEBHOOK_QUEUE)).toEqual({ waiting: 1, active: 0, delayed: 0, failed: 0 });
  });

  it('replays a dead letter', async () => {
    const queue = await openQueue();
    let isFixed = false;
    const done: string[] = [];
    startWorker(queue, async (job) => {
      if (!isFixed) throw new PermanentFailureError('makes no sense');
      done.push(job.id);
    });
    await queue.addJobs(WEBHOOK_QUEUE, [JOB]);
    await eventually(async () => expect(await listDeadLetters(queue)).toHaveLength(1));
    isFixed = true;
    expect(await requeueJob(queue, WEBHOOK_QUEUE, JOB)).toBe('replayed');
    await eventually(() => expect(done).toEqual([JOB.id]));
  });

  it('happens once, however many processes do so at once', async () => {
    const queue = await openQueue();
    const webhooks = await queue.openQueue(WEBHOOK_QUEUE);
    const requeueFourTimes = () =>
      Promise.all(Array.from({ length: 4 }, () => requeueJob(queue, WEBHOOK_QUEUE, JOB)));

    await webhooks.add(JOB.name, JOB.data, { jobId: JOB.id, delay: 3_600_000 });
    // On Postgres, BullMQ may report success to several callers that promote a job at the same time.
    expect(await requeueFourTimes()).toContain('promoted');
    expect(await queue.countJobs(WEBHOOK_QUEUE)).toEqual({ waiting: 1, active: 0, delayed: 0, failed: 0 });

    const worker = startWorker(queue, () => Promise.reject(new PermanentFailureError('makes no sense')));
    await eventually(async () => expect(await listDeadLetters(queue)).toHaveLength(1));
    await worker.close(5_000);
    expect((await requeueFourTimes()).toSorted()).toEqual([
      ...['in_flight', 'in_flight', 'in_flight'],
      'replayed',
    ]);
    expect(await queue.countJobs(WEBHOOK_QUEUE)).toEqual({ waiting: 1, active: 0, delayed: 0, failed: 0 });
  });

  it('promotes one that waits for its next attempt', async () => {
    const queue = await openQueue();
    let attempts = 0;
    startWorker(queue, async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('not yet');
    });
    await queue.addJobs(WEBHOOK_QUEUE, [JOB]);
    await eventually(async () => expect((await queue.countJobs(WEBHOOK_QUEUE)).delayed).toBe(1));
    expect(await requeueJob(queue, WEBHOOK_QUEUE, JOB)).toBe('promoted');
    await eventually(() => expect(attempts).toBe(2));
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

  const startWorker = (queue: QueueBackend, process: ProcessJob) => {
    const options = { concurrency: 1, retryDelayMs: () => 3_600_000 };
    const worker = queue.startWorker(WEBHOOK_QUEUE, process, options);
    onTestFinished(async () => void (await worker.close(5_000)));
    return worker;
  };
});
