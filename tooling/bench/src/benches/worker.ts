import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildSuggestionsGenerated } from '@mailsweep/contracts';
import { DOMAIN_EVENTS_QUEUE, type NewJob, openQueueBackend } from '@mailsweep/event-bus';
import { createLogger } from '@mailsweep/service-kit';
import getPort from 'get-port';
import { v7 as uuidv7 } from 'uuid';
import type { NoOpOptions } from '../floors/no-op-worker.ts';
import { atLeastTimes, medianRates, type Result, type Speed } from '../measure.ts';
import { processorMs } from '../product/process-tree.ts';
import type { Servers } from '../servers.ts';

/** Enough for some seconds; the queue on Postgres takes four times as long for an event. */
const EVENTS = { redis: 40_000, postgres: 10_000 };
/** Share of the events that do not count. */
const WARM_UP_SHARE = 0.25;
const USERS = 200;
const ROUNDS = 5;
const ADD_AT_ONCE = 500;
const POLL_MS = 100;
const LONGEST_RUN_MS = 120_000;
const WORKER = fileURLToPath(new URL('../../../../apps/worker/src/main.ts', import.meta.url));
const NO_OP_WORKER = fileURLToPath(new URL('../floors/no-op-worker.ts', import.meta.url));

/** The trace of the n-th job; every so manyth is sampled. */
const toTraceParent = (index: number, sampledEvery: number): string =>
  `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-0${index % sampledEvery === 0 ? 1 : 0}`;

/** Events of several people with 20 suggestions each. */
const createJobs = (count: number, sampledEvery: number | undefined): NewJob[] => {
  const userIds = Array.from({ length: USERS }, () => uuidv7());
  return Array.from({ length: count }, (_, index) => {
    const event = buildSuggestionsGenerated({
      userId: userIds[(index * index) % USERS] ?? '',
      emails: Array.from({ length: 20 }, (_item, email) => ({
        id: `email-${email}`,
        subject: `Your weekly digest, number ${email}`,
        suggestions: [
          {
            action: email % 3 === 0 ? 'delete' : 'archive',
            classification: ['bulk', 'stale_unread', 'promotions_old'][email % 3] ?? '',
            confidence_score: 0.9,
          },
        ],
      })),
      generatedAt: new Date(),
    });
    const traceParent = sampledEvery === undefined ? null : toTraceParent(index, sampledEvery);
    return { id: uuidv7(), name: event.type, data: event, traceParent };
  });
};

/** The speed once V8 has optimised the workers, until the last event is done. */
const speedOf = async (
  events: number,
  workers: ChildProcess[],
  countDone: () => Promise<number>,
): Promise<Speed> => {
  const deadlineMs = performance.now() + LONGEST_RUN_MS;
  const readProcessorMs = () => workers.reduce((total, { pid = 0 }) => total + processorMs(pid), 0);
  let first: { done: number; atMs: number; usedMs: number } | undefined;
  for (;;) {
    const done = await countDone();
    const atMs = performance.now();
    if (done > events * WARM_UP_SHARE) first ??= { done, atMs, usedMs: readProcessorMs() };
    if (first !== undefined && done >= events) {
      const counted = done - first.done;
      return {
        perSecond: (counted / (atMs - first.atMs)) * 1_000,
        processorUs: ((readProcessorMs() - first.usedMs) / counted) * 1_000,
      };
    }
    if (atMs > deadlineMs) throw new Error(`only ${done} of ${events} events were done in time`);
    await sleep(POLL_MS);
  }
};

/** Jobs that the worker takes at once. */
const CONCURRENCY = 200;

const logger = createLogger({ service: 'bench', level: 'silent' });

type QueueUrls = { databaseUrl: string; redisUrl: string | undefined };
/** Variables of the workers, and how many events have a trace that is sampled: every so manyth. */
interface Tracing {
  env: Record<string, string>;
  sampledEvery: number;
}
interface Run extends QueueUrls {
  concurrency: number;
  events: number;
  tracing?: Tracing | undefined;
}

const fillQueue = async ({ databaseUrl, redisUrl, events, tracing }: Run) => {
  const queue = await openQueueBackend({ databaseUrl, redisUrl, logger });
  const jobs = createJobs(events, tracing?.sampledEvery);
  for (let start = 0; start < jobs.length; start += ADD_AT_ONCE) {
    await queue.addJobs(DOMAIN_EVENTS_QUEUE, jobs.slice(start, start + ADD_AT_ONCE));
  }
  return queue;
};

/** A worker that takes the same jobs and does nothing with them, a process as ours is. */
const runNoOp = async (run: Run): Promise<Speed> => {
  const queue = await fillQueue(run);
  const options: NoOpOptions = run;
  const child = fork(NO_OP_WORKER, [JSON.stringify(options)]);
  const exited = once(child, 'exit');
  let done = 0;
  child.on('message', (count) => {
    done = Number(count);
  });
  try {
    return await speedOf(run.events, [child], async () => done);
  } finally {
    child.disconnect();
    await exited;
    await queue.close();
  }
};

/** Worker processes as they are run in production. */
const runOurs = async (run: Run, workers: number, countStored: () => Promise<number>): Promise<Speed> => {
  const queue = await fillQueue(run);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => queue.close());
  const children: ChildProcess[] = [];
  for (let worker = 0; worker < workers; worker += 1) {
    const child = spawn(process.execPath, [WORKER], {
      stdio: 'ignore',
      env: {
        DATABASE_URL: run.databaseUrl,
        ...(run.redisUrl !== undefined && { REDIS_URL: run.redisUrl }),
        WORKER_PORT: String(await getPort()),
        LOG_LEVEL: 'info',
        ...run.tracing?.env,
      },
    });
    children.push(child);
    const exited = once(child, 'exit');
    const end = () => child.kill('SIGTERM');
    process.once('exit', end);
    stack.defer(async () => {
      end();
      await exited;
      process.off('exit', end);
    });
  }
  return await speedOf(run.events, children, countStored);
};

type QueueKind = keyof typeof EVENTS;

const inDatabase = (
  servers: Servers,
  kind: QueueKind,
  speedOfRun: (run: Run, countStored: () => Promise<number>) => Promise<Speed>,
): Promise<Speed> =>
  servers.withDatabase(({ url, pool }) => {
    const countStored = async () => {
      const { rows } = await pool.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM "NotificationEvent"',
      );
      return rows[0]?.count ?? 0;
    };
    // Each run finds Redis's one database empty: the run before took all its jobs.
    const redisUrl = kind === 'redis' ? (servers.redisUrl ?? undefined) : undefined;
    return speedOfRun(
      { databaseUrl: url, redisUrl, concurrency: CONCURRENCY, events: EVENTS[kind] },
      countStored,
    );
  });

/** How fast so many worker processes store events, on a database of their own. */
export const storeEvents = (
  servers: Servers,
  kind: QueueKind,
  workers: number,
  tracing?: Tracing,
): Promise<Speed> =>
  inDatabase(servers, kind, (run, countStored) => runOurs({ ...run, tracing }, workers, countStored));

/** Events stored a second by the worker, against jobs a second of a worker that does nothing. */
export const measureWorker = async (servers: Servers): Promise<Result[]> => {
  const results: Result[] = [];
  for (const kind of ['redis', 'postgres'] as const) {
    if (kind === 'redis' && servers.redisUrl === null) continue;
    const rates = await medianRates(
      {
        floor: async () => (await inDatabase(servers, kind, runNoOp)).perSecond,
        ours: async () => (await storeEvents(servers, kind, 1)).perSecond,
      },
      ROUNDS,
    );
    results.push(
      atLeastTimes(0.5, {
        name: `worker on ${kind}, ${CONCURRENCY} jobs at once; floor: a worker that does nothing`,
        unit: 'per second',
        ...rates,
      }),
    );
  }
  return results;
};
