import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openDatabase, pingDatabase } from '@mailsweep/database';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import type { Logger } from '@mailsweep/service-kit';
import { createRecordingLogger, openFaultProxy } from '@mailsweep/service-kit/testing';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { listDeadLetters, replayDeadLetters } from '../jobs/dead-letters.ts';
import { describeOnEachQueue, eventually, openTestQueue, queueUrlOf } from '../testing/index.ts';
import type { ProcessJob, QueueBackend, WorkerOptions } from './queue-backend.ts';
import {
  DOMAIN_EVENTS_QUEUE,
  PermanentFailureError,
  RETRY_POLICIES,
  RetryLaterError,
  WEBHOOK_QUEUE,
} from './queues.ts';

const CLOSE_MS = 5_000;
/** Long enough for four processes to start one after the other on a busy machine. */
const FOUR_STARTS_MS = 120_000;
const STUCK_WORKER_PATH = fileURLToPath(new URL('../testing/stuck-worker.ts', import.meta.url));
const CRASHING_WORKER_PATH = fileURLToPath(new URL('../testing/crashing-worker.ts', import.meta.url));

describeOnEachQueue('a queue worker', (kind) => {
  it('processes a job and removes it', async () => {
    const { logger, lines } = createRecordingLogger();
    const queue = await openQueue({ logger });
    const done: unknown[] = [];
    startWorker(queue, async (job) => void done.push(job));
    await addJob(queue, 'event-1');
    await eventually(() =>
      expect(done).toEqual([
        { id: 'event-1', name: 'test', data: { number: 1 }, attempt: 1, traceParent: null },
      ]),
    );
    await eventually(async () => expect(await countAll(queue)).toBe(0));
    expect(lines).toEqual([]);
  });

  it('retries a failed attempt after the delay', async () => {
    const queue = await openQueue();
    const outcomes: string[] = [];
    let attempts = 0;
    const flaky = async () => {
      attempts += 1;
      if (attempts < 3) throw new Error('not yet');
    };
    startWorker(queue, flaky, {
      onOutcome: (outcome) => void outcomes.push(outcome),
      retryDelayMs: () => 10,
    });
    await addJob(queue, 'event-1');
    await eventually(() => expect(outcomes).toEqual(['retried', 'retried', 'completed']));
  });

  it('waits for a database that is away or read-only, beyond all attempts of a job', async () => {
    const queue = await openQueue();
    const url = Object.assign(new URL(db.url), { search: '?options=-c default_transaction_read_only=on' });
    const readOnly = openDatabase({ databaseUrl: url.href });
    onTestFinished(() => readOnly.$disconnect());
    const outcomes: string[] = [];
    const { attempts } = RETRY_POLICIES[WEBHOOK_QUEUE];
    const process = async () => {
      if (outcomes.length > attempts) return;
      const writing = pingDatabase(readOnly);
      await (outcomes.length % 2 === 0
        ? writing
        : writing.catch((cause: unknown) => Promise.reject(new Error('could not be stored', { cause }))));
    };
    const worker = queue.startWorker(WEBHOOK_QUEUE, process, {
      concurrency: 1,
      onOutcome: (outcome) => void outcomes.push(outcome),
      retryDelayMs: () => 10,
    });
    onTestFinished(async () => void (await worker.close(CLOSE_MS)));
    await queue.addJobs(WEBHOOK_QUEUE, [{ id: 'event-1', name: 'test', data: {} }]);
    await eventually(() =>
      expect(outcomes).toEqual([...Array.from({ length: attempts + 1 }, () => 'retried'), 'completed']),
    );
  });

  it('waits as long as the job asks for', async () => {
    const queue = await openQueue();
    let attempts = 0;
    const asking = async () => {
      attempts += 1;
      if (attempts === 1) throw new RetryLaterError('busy', 10);
    };
    startWorker(queue, asking, { retryDelayMs: () => 3_600_000 });
    await addJob(queue, 'event-1');
    await eventually(() => expect(attempts).toBe(2));
  });

  it('follows the delay that a job asks for three times, then uses at least its own backoff', async () => {
    const queue = await openQueue();
    let attempts = 0;
    const process = async () => {
      attempts += 1;
      throw new RetryLaterError('busy', 1);
    };
    startWorker(queue, process, { retryDelayMs: () => 3_600_000 });
    await addJob(queue, 'event-1');
    await eventually(async () => {
      const [job] = await (await queue.openQueue(DOMAIN_EVENTS_QUEUE)).getJobs(['delayed']);
      expect(job?.delay).toBe(3_600_000);
    });
    expect(attempts).toBe(4);
  });

  it('turns a permanent failure into a dead letter on its first attempt, while other jobs go on', async () => {
    const queue = await openQueue();
    const done: string[] = [];
    startWorker(queue, async (job) => {
      if (job.id === 'hopeless') throw new PermanentFailureError('makes no sense');
      done.push(job.id);
    });
    await addJob(queue, 'hopeless');
    await addJob(queue, 'event-2');
    await eventually(() => expect(done).toEqual(['event-2']));
    await eventually(async () => expect(await listDeadLetters(queue)).toHaveLength(1));
    const [letter] = await listDeadLetters(queue);
    expect(letter).toMatchObject({
      queueName: DOMAIN_EVENTS_QUEUE,
      id: 'hopeless',
      name: 'test',
      reason: 'makes no sense',
      attemptsMade: 1,
    });
  });

  it('processes a replayed dead letter, with all its attempts available again', async () => {
    const queue = await openQueue();
    let isFixed = false;
    const done: string[] = [];
    startWorker(queue, async (job) => {
      if (!isFixed) throw new PermanentFailureError('makes no sense');
      done.push(job.id);
    });
    for (const id of ['event-1', 'event-2']) await addJob(queue, id);
    await eventually(async () => expect(await listDeadLetters(queue)).toHaveLength(2));
    isFixed = true;
    expect((await replayDeadLetters(queue, 'event-1')).map((letter) => letter.id)).toEqual(['event-1']);
    await eventually(() => expect(done).toEqual(['event-1']));
    expect(await replayDeadLetters(queue)).toHaveLength(1);
    await eventually(() => expect(done).toEqual(['event-1', 'event-2']));
    expect(await listDeadLetters(queue)).toEqual([]);
  });

  it('logs the number of each failed attempt, and the job that failed for good', async () => {
    const { logger, lines } = createRecordingLogger();
    const queue = await openQueue({ logger });
    const outcomes: string[] = [];
    let attempts = 0;
    const failing = async () => {
      attempts += 1;
      throw attempts === 1 ? new Error('not yet') : new PermanentFailureError('makes no sense');
    };
    startWorker(queue, failing, {
      onOutcome: (outcome) => void outcomes.push(outcome),
      retryDelayMs: () => 1,
    });
    await addJob(queue, 'event-1');
    await eventually(() => expect(outcomes).toEqual(['retried', 'dead']));
    const job = { queue: DOMAIN_EVENTS_QUEUE, jobId: 'event-1' };
    expect(lines.filter((line) => 'jobId' in line)).toMatchObject([
      {
        ...job,
        level: 40,
        msg: 'job attempt failed: it will be retried',
        attempt: 1,
        err: { message: 'not yet' },
      },
      {
        ...job,
        level: 50,
        msg: 'job failed for good: it is now a dead letter',
        attempt: 2,
        err: { message: 'makes no sense', code: 'permanent_failure' },
      },
    ]);
  });

  it('uses the backoff of its queue, unless it is given another', async () => {
    const queue = await openQueue();
    const worker = queue.startWorker(WEBHOOK_QUEUE, () => Promise.reject(new Error('no')), {
      concurrency: 1,
    });
    onTestFinished(async () => void (await worker.close(CLOSE_MS)));
    await queue.addJobs(WEBHOOK_QUEUE, [{ id: 'event-1', name: 'test', data: {} }]);
    const delay = await eventually(async () => {
      const [job] = await (await queue.openQueue(WEBHOOK_QUEUE)).getJobs(['delayed']);
      if (job === undefined) throw new Error('not delayed yet');
      return job.delay;
    });
    expect(delay).toBeGreaterThanOrEqual(4_000);
    expect(delay).toBeLessThanOrEqual(6_000);
  });

  it('runs as many jobs at once as its concurrency allows', async () => {
    const queue = await openQueue();
    const begun: string[] = [];
    const finish = Promise.withResolvers<void>();
    const processing = async (job: { id: string }) => {
      begun.push(job.id);
      await finish.promise;
    };
    startWorker(queue, processing, { concurrency: 2 });
    for (const id of ['event-1', 'event-2', 'event-3']) await addJob(queue, id);
    await eventually(() => expect(begun).toHaveLength(2));
    expect(await queue.countJobs(DOMAIN_EVENTS_QUEUE)).toMatchObject({ waiting: 1, active: 2 });
    finish.resolve();
    await eventually(() => expect(begun).toHaveLength(3));
  });

  it('ignores an event that is published again while its dead letter waits', async () => {
    const queue = await openQueue();
    startWorker(queue, async () => {
      throw new PermanentFailureError('makes no sense');
    });
    await addJob(queue, 'event-1');
    await eventually(async () => expect(await listDeadLetters(queue)).toHaveLength(1));
    await addJob(queue, 'event-1');
    expect(await listDeadLetters(queue)).toHaveLength(1);
    expect((await queue.countJobs(DOMAIN_EVENTS_QUEUE)).waiting).toBe(0);
  });

  it('starts while the queue is down, and processes jobs once it is up', async () => {
    const proxy = await openFaultProxy(queueUrlOf(kind, db.url));
    onTestFinished(() => proxy.close());
    proxy.cut();
    const { logger, lines } = createRecordingLogger();
    const queue = await openQueue({ queueUrl: proxy.url, logger });
    const done: string[] = [];
    startWorker(queue, async (job) => void done.push(job.id));
    await eventually(() =>
      expect(lines.map((line) => line.msg)).toContain('the queue: unavailable, retrying'),
    );
    proxy.heal();
    await eventually(() => addJob(queue, 'event-1'));
    await eventually(() => expect(done).toEqual(['event-1']));
  });

  it('closes while the queue is down, and takes no job once it is up', async () => {
    const proxy = await openFaultProxy(queueUrlOf(kind, db.url));
    onTestFinished(() => proxy.close());
    proxy.cut();
    const { logger, lines } = createRecordingLogger();
    const queue = await openQueue({ queueUrl: proxy.url, logger });
    const worker = startWorker(queue, async () => undefined);
    await eventually(() =>
      expect(lines.map((line) => line.msg)).toContain('the queue: unavailable, retrying'),
    );
    expect(await worker.close(CLOSE_MS)).toBe(true);
    proxy.heal();
    await eventually(() => addJob(queue, 'event-1'));
    expect((await queue.countJobs(DOMAIN_EVENTS_QUEUE)).waiting).toBe(1);
  });

  it('processes jobs again after an outage of the queue', async () => {
    const proxy = await openFaultProxy(queueUrlOf(kind, db.url));
    onTestFinished(() => proxy.close());
    const queue = await openQueue({ queueUrl: proxy.url });
    const done: string[] = [];
    startWorker(queue, async (job) => void done.push(job.id));
    await addJob(queue, 'event-1');
    await eventually(() => expect(done).toHaveLength(1));
    proxy.cut();
    await expect(addJob(queue, 'event-2')).rejects.toThrow();
    proxy.heal();
    await eventually(() => addJob(queue, 'event-2'));
    await eventually(() => expect(done).toEqual(['event-1', 'event-2']));
  });

  it('lets running jobs finish when it closes, and takes no other', async () => {
    const queue = await openQueue();
    const started = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const done: string[] = [];
    const worker = startWorker(queue, async (job) => {
      started.resolve();
      await finish.promise;
      done.push(job.id);
    });
    await addJob(queue, 'event-1');
    await started.promise;
    await addJob(queue, 'event-2');
    const closed = worker.close(CLOSE_MS);
    finish.resolve();
    expect(await closed).toBe(true);
    expect(done).toEqual(['event-1']);
    expect((await queue.countJobs(DOMAIN_EVENTS_QUEUE)).waiting).toBe(1);
  });

  it('does not wait longer than the deadline for a job that never ends', async () => {
    const queue = await openQueue();
    const started = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const worker = startWorker(queue, async () => {
      started.resolve();
      await finish.promise;
    });
    await addJob(queue, 'event-1');
    await started.promise;
    expect(await worker.close(50)).toBe(false);
    await queue.close();
    finish.resolve();
  });

  it('R27: gets the job of a killed worker within 15 s', async () => {
    const redisPrefix = `test-${randomUUID()}`;
    const { logger, lines } = createRecordingLogger();
    const queue = await openQueue({ redisPrefix, logger });
    await addJob(queue, 'event-1');
    const dying = spawnWorker(STUCK_WORKER_PATH, redisPrefix);
    onTestFinished(() => void dying.kill('SIGKILL'));
    await once(dying.stdout, 'data');
    dying.kill('SIGKILL');
    const done: string[] = [];
    startWorker(queue, async (job) => void done.push(job.id));
    await eventually(() => expect(done).toEqual(['event-1']));
    const queueName = DOMAIN_EVENTS_QUEUE;
    expect(lines).toMatchObject([
      { level: 40, msg: 'took over the job of a crashed worker', queue: queueName, jobId: 'event-1' },
    ]);
  });

  it('R28: gives up the one job that crashed three workers, and completes those that ran with it', {
    timeout: FOUR_STARTS_MS,
  }, async () => {
    const redisPrefix = `test-${randomUUID()}`;
    const queue = await openQueue({ redisPrefix });
    const others = ['event-1', 'event-2', 'event-3', 'event-4'];
    for (const id of ['poison', ...others]) await addJob(queue, id);
    const done: string[] = [];
    const runWorker = async () => {
      const worker = spawnWorker(CRASHING_WORKER_PATH, redisPrefix);
      worker.stdout.on('data', (chunk: Buffer) => done.push(...chunk.toString().trim().split('\n')));
      onTestFinished(() => void worker.kill('SIGKILL'));
      await once(worker, 'exit');
    };
    // However long a process takes to start on a busy machine: each of the three crashes on it.
    for (let crash = 1; crash <= 3; crash += 1) await runWorker();
    expect(await listDeadLetters(queue)).toEqual([]);
    void runWorker();
    await eventually(async () => expect(await listDeadLetters(queue)).toHaveLength(1));
    expect(await listDeadLetters(queue)).toMatchObject([
      { id: 'poison', reason: '3 workers died of this job' },
    ]);
    await eventually(() => expect(new Set(done)).toEqual(new Set(others)));
  });

  let db: TestDatabase;
  beforeEach(async () => {
    db = await createTestDatabase();
  });
  afterEach(() => db.drop());

  const openQueue = async (
    options: { queueUrl?: string; redisPrefix?: string; logger?: Logger } = {},
  ): Promise<QueueBackend> => {
    const queue = await openTestQueue(kind, { databaseUrl: db.url, ...options });
    onTestFinished(() => queue.close());
    return queue;
  };

  const startWorker = (queue: QueueBackend, process: ProcessJob, options: Partial<WorkerOptions> = {}) => {
    const worker = queue.startWorker(DOMAIN_EVENTS_QUEUE, process, { concurrency: 1, ...options });
    onTestFinished(async () => void (await worker.close(CLOSE_MS)));
    return worker;
  };

  const addJob = (queue: QueueBackend, id: string) =>
    queue.addJobs(DOMAIN_EVENTS_QUEUE, [{ id, name: 'test', data: { number: 1 } }]);

  const countAll = async (queue: QueueBackend) => {
    const counts = await (await queue.openQueue(DOMAIN_EVENTS_QUEUE)).getJobCounts();
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  };

  const spawnWorker = (script: string, redisPrefix: string) => {
    const redisUrl = kind === 'redis' ? [queueUrlOf(kind, db.url)] : [];
    return spawn(process.execPath, [script, db.url, redisPrefix, ...redisUrl], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  };
});
