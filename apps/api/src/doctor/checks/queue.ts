import { randomUUID } from 'node:crypto';
import { createMaintenance } from '@mailsweep/core';
import {
  measureOutbox,
  openQueueBackend,
  QUEUE_NAMES,
  QUEUE_SCHEMA,
  type QueueBackend,
} from '@mailsweep/event-bus';
import { createDoctorQuestion, parseProcessName } from '@mailsweep/mail/provider-connection';
import { createLogger, VERSION } from '@mailsweep/service-kit';
import { Redis } from 'ioredis';
import { z } from 'zod';
import { compareVariables } from '../compare-variables.ts';
import { type DoctorContext, need } from '../context.ts';
import { listProgramNames, readMissingRights } from '../database.repository.ts';
import { error, type Finding, type Findings, faultsOr, ok, skipped, warning } from '../finding.ts';

const OLDEST_VERSION = 7;
const MB = 1024 * 1024;
/** Share of its memory from which on Redis counts as nearly full. */
const NEARLY_FULL = 0.9;
const variable = 'REDIS_URL';

/** Writes and removes a key in a script, as the queue does all its work. */
const WRITE = "redis.call('SET', KEYS[1], ARGV[1], 'PX', 10000) return redis.call('DEL', KEYS[1])";

/**
 * Uses Redis as queue and limits do.
 *
 * @returns what Redis says of itself: `name:value` on each line; empty where it may not be asked
 */
const tryRedis = async (url: string, timeoutMs: number): Promise<Map<string, string>> => {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // Of an error of the connection, connect() itself says only that it is closed.
  let fault: Error | undefined;
  redis.on('error', (cause: Error) => (fault ??= cause));
  try {
    await redis.connect();
    await redis.select(redis.options.db ?? 0);
    await redis.eval(WRITE, 1, `mailsweep:doctor:${randomUUID()}`, '1');
    // Roles that may not ask for it can run the queue all the same.
    const text = await redis.info().catch(() => '');
    const lines = text.split('\r\n').map((line) => line.split(':'));
    return new Map(lines.map(([name = '', ...value]) => [name, value.join(':')]));
  } catch (cause) {
    throw fault ?? cause;
  } finally {
    redis.disconnect();
  }
};

/** What to change, by how an error of Redis begins or what it holds. */
const REDIS_ERRORS: [pattern: RegExp, what: string, fix: string][] = [
  [
    /^READONLY|^NOREPLICAS/,
    'it is a replica, which takes no writes',
    'Set the address of the primary server; after a failover, one that follows it.',
  ],
  [
    /^OOM/,
    'its memory is full',
    'Raise maxmemory; if jobs wait, start more workers; remove what other programs keep there.',
  ],
  [
    /^NOPERM/,
    'its user lacks a right',
    'Give the user of REDIS_URL all commands on keys with mailsweep:* and bull:* and all channels, scripts included: ACL SETUSER <user> +@all -@dangerous +info +client ~* &*',
  ],
  [
    /DB index is out of range|^ERR invalid DB/,
    'there is no database of that number',
    'Change the number at the end of REDIS_URL; most servers have 0 to 15, some 0 alone.',
  ],
  [
    /^NOAUTH|^WRONGPASS|invalid password|without any password/,
    'it refuses user or password',
    'Correct user and password: redis://user:password@host:6379/0; special characters percent-encoded.',
  ],
  [/^LOADING|^BUSY|^MASTERDOWN/, 'it is not ready', 'Wait until it has read its data; look at its log.'],
  [/^MISCONF/, 'it cannot write to its disk', 'Look at its log, and at the space on its disk.'],
  [/^MOVED|^CROSSSLOT|^CLUSTERDOWN/, 'it is a cluster', 'Set the address of a single primary server.'],
];

/** What an error of Redis means. */
const explainRedis = (cause: unknown): Finding => {
  const text = cause instanceof Error ? cause.message : String(cause);
  const [, what, fix] = REDIS_ERRORS.find(([pattern]) => pattern.test(text)) ?? [];
  return error({
    variable,
    message: what
      ? `Redis cannot be used, for ${what}: ${text.replace(/\.$/, '')}.`
      : `Redis cannot be used: ${text}.`,
    why: 'No event leaves the outbox, and each process counts limits for itself.',
    fix: fix ?? 'Start Redis, or correct scheme (rediss:// with TLS), host, port and password in REDIS_URL.',
  });
};

const checkInfo = (info: Map<string, string>): Findings => {
  const version = info.get('redis_version') ?? '';
  const policy = info.get('maxmemory_policy');
  const cannotWrite =
    info.get('aof_last_write_status') === 'err' || info.get('rdb_last_bgsave_status') === 'err';
  const [used, limit] = [Number(info.get('used_memory')), Number(info.get('maxmemory'))];
  const mode = info.get('redis_mode') ?? 'standalone';
  return faultsOr(
    `Redis ${version} keeps what it is given.`,
    mode !== 'standalone' &&
      error({
        variable,
        message: `This Redis runs as ${mode}.`,
        why: 'The queue needs all its keys on one server.',
        fix: 'Set the address of a single primary server; a Sentinel or cluster is not one.',
      }),
    limit > 0 &&
      used > limit * NEARLY_FULL &&
      warning({
        variable,
        message: `Redis has used ${Math.round(used / MB)} of ${Math.round(limit / MB)} MB (maxmemory).`,
        why: 'Once it is full, no event leaves the outbox.',
        fix: 'Raise maxmemory, or start more workers if jobs wait.',
      }),
    Number.parseInt(version, 10) < OLDEST_VERSION &&
      error({
        variable,
        message: `This is Redis ${version}.`,
        why: 'The queue is tested with Redis 7 and newer.',
        fix: 'Upgrade Redis, or leave REDIS_URL out: the queue is then in Postgres.',
      }),
    info.has('maxmemory_policy') &&
      policy !== 'noeviction' &&
      error({
        variable,
        message: `Redis has the maxmemory-policy ${policy}.`,
        why: 'When its memory is full it drops jobs of the queue without a word.',
        fix: 'Set maxmemory-policy noeviction in redis.conf, and: redis-cli config set maxmemory-policy noeviction',
      }),
    info.get('aof_enabled') === '0' &&
      warning({
        variable,
        message: 'Redis keeps no append-only file.',
        why: 'After a restart the queue is empty; events come back from the outbox a minute later, dead letters are lost.',
        fix: 'Set appendonly yes in redis.conf, and: redis-cli config set appendonly yes',
      }),
    cannotWrite &&
      error({
        variable,
        message: 'Redis could not write to its disk.',
        why: 'It may refuse all writes, and a restart loses the queue.',
        fix: 'Look at its log, and at the space on its disk.',
      }),
  );
};

export const checkRedis = async (context: DoctorContext): Promise<Findings> => {
  if (context.env.REDIS_URL === undefined) return ok('REDIS_URL is not set: the queue is in Postgres.');
  const url = need(context, variable);
  try {
    return checkInfo(await tryRedis(url, context.leftMs()));
  } catch (cause) {
    return explainRedis(cause);
  }
};

/** The limits of the alerts in docs/OPERATIONS.md, "Watch metrics and set alerts". */
const MOST_WAITING = 1_000;
const LONGEST_UNPUBLISHED_S = 60;
/** No job takes longer: a call of the webhook ends after 15 s. */
const LONGEST_JOB_MS = 60_000;
const DEAD_LETTERS =
  'node apps/worker/src/dead-letters.ts list (in the image of the worker: node dist/dead-letters.js list)';

/** The jobs of all queues; `stalled`: a worker took them and is gone, and no other has taken them over. */
const countJobs = async (backend: QueueBackend) => {
  const counts = { waiting: 0, dead: 0, stalled: 0 };
  for (const name of QUEUE_NAMES) {
    const { waiting, failed } = await backend.countJobs(name);
    const active = await (await backend.openQueue(name)).getJobs(['active'], 0, 99);
    const isStalled = ({ processedOn = Date.now() }) => processedOn < Date.now() - LONGEST_JOB_MS;
    counts.waiting += waiting;
    counts.dead += failed;
    counts.stalled += active.filter(isStalled).length;
  }
  return counts;
};

const listParked = async ({ database }: DoctorContext): Promise<string[]> => {
  const counts = await createMaintenance(database).work.count();
  return counts.flatMap(({ kind, parked }) => (parked > 0 ? [`${parked} of ${kind}`] : []));
};

const findLateRows = async (context: DoctorContext): Promise<(Finding | false)[]> => {
  const { unpublished, oldestSeconds } = await measureOutbox(context.database);
  const parked = await listParked(context);
  return [
    oldestSeconds > LONGEST_UNPUBLISHED_S &&
      error({
        message: `${unpublished} events wait in the outbox, the oldest for ${Math.round(oldestSeconds)} s.`,
        why: 'Timeline and webhooks do not get them.',
        fix: 'Start an API process, which publishes them; if one runs, look at its log for "the queue".',
      }),
    parked.length > 0 &&
      warning({
        message: `Due work is parked, since five workers in a row died of it: ${parked.join(', ')}.`,
        why: 'It waits for you.',
        fix: `Look for the end of these workers in their logs; then replay it or give it up: ${DEAD_LETTERS}`,
      }),
  ];
};

/** Does what publishing does. */
const findRefusal = (backend: QueueBackend): Promise<Finding | false> =>
  backend.ping().then(
    () => false,
    (cause: unknown) =>
      backend.kind === 'redis'
        ? explainRedis(cause)
        : error({
            message: `The queue takes no jobs: ${cause instanceof Error ? cause.message : cause}.`,
            why: 'No event leaves the outbox.',
            fix: 'Let it write: a role or user with rights to do so, a primary server, space in its memory and on its disk.',
          }),
  );

const findLateJobs = async (backend: QueueBackend): Promise<(Finding | false)[]> => {
  const { waiting, dead, stalled } = await countJobs(backend);
  return [
    waiting > MOST_WAITING &&
      warning({
        message: `${waiting} jobs wait.`,
        why: 'Timeline and webhooks are behind.',
        fix: 'Start more workers, and look at their logs.',
      }),
    dead > 0 &&
      warning({
        message: `${dead} jobs are dead letters.`,
        why: 'What they stand for was not done: an event is not in the timeline, or the workflow service was not called.',
        fix: `Fix the cause, then replay them: ${DEAD_LETTERS}`,
      }),
    stalled > 0 &&
      error({
        message: `${stalled} jobs are stalled: their worker is gone, and no other took them over.`,
        why: 'Their events are not delivered.',
        fix: 'Start a worker; it takes them over within seconds.',
      }),
  ];
};

const AnswerSchema = z.record(z.string(), z.string());
const CLOSING_MS = 500;

/** Has a worker take a job and answer it with the variables that it has. */
const askWorker = async (context: DoctorContext, backend: QueueBackend): Promise<Findings> => {
  const { TOKEN_ENCRYPTION_KEY: key } = context.values;
  const names = (await listProgramNames(context.database)).map(parseProcessName);
  const workers = names.filter((name) => name?.service === 'worker');
  // That none runs, the check of processes says; one of an older version does not know such jobs.
  const [worker] = workers;
  if (key === undefined || worker === undefined || workers.some((each) => each?.version !== VERSION))
    return [];
  const question = createDoctorQuestion(key);
  try {
    const answer = AnswerSchema.safeParse(
      await backend.askWorker(question, context.leftMs() - CLOSING_MS),
    ).data;
    return answer ? compareVariables(context, 'worker', question, answer) : [];
  } catch {
    const place = backend.kind === 'redis' ? 'at REDIS_URL' : 'in Postgres, since REDIS_URL is not set';
    return error({
      variable,
      message: `A worker is connected to the database, and none takes a test job from the queue ${place}.`,
      why: 'Events are not delivered: the worker looks into another queue, or hangs.',
      fix: 'Give API and worker the same REDIS_URL, or both none, and restart them; if they have that, look at the log of the worker.',
    });
  }
};

export const checkQueue = async (context: DoctorContext): Promise<Findings> => {
  const { databaseUrl = '', database, values } = context;
  const { REDIS_URL: redisUrl } = values;
  const late = await findLateRows(context);
  // Opening a queue in Postgres would make its tables.
  if (redisUrl === undefined && (await readMissingRights(database, QUEUE_SCHEMA)).queue !== 'usable')
    return [
      ...late.filter((row) => row !== false),
      skipped('The queue has no tables yet: the API makes them.'),
    ];
  const logger = createLogger({ service: 'doctor', level: 'silent' });
  const backend = await openQueueBackend({ redisUrl, databaseUrl, logger, poolSize: 2 });
  try {
    const refusal = await findRefusal(backend);
    const ofWorker = refusal ? [] : await askWorker(context, backend);
    return faultsOr(
      'Jobs are taken and worked on; none is overdue, stalled or given up.',
      ...late,
      ...(refusal ? [refusal] : await findLateJobs(backend)),
      ofWorker,
    );
  } finally {
    await backend.close();
  }
};
