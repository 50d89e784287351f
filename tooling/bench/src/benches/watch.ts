import { setTimeout as sleep } from 'node:timers/promises';
import { createTokenCipher } from '@mailsweep/mail/provider-connection';
import { startClassificationStandIn } from '@mailsweep/ml-client/testing';
import getPort from 'get-port';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { atLeastTimes, atMost, type Result } from '../measure.ts';
import { startProcess } from '../product/child-process.ts';
import { processorMs } from '../product/process-tree.ts';
import { startSimulatedGmail } from '../product/simulated-gmail.ts';
import { SUGGEST_ARCHIVE } from '../product/suggest-archive.ts';
import type { Servers } from '../servers.ts';

const USERS = 10_000;
/** How many of them get an email in the second part; each takes longer. */
const SAMPLE = 2_000;
const LATENCY_MS = 50;
const MINUTES_PER_DAY = 1_440;
const EVERY_MINUTES = 15;
const RUNS_A_DAY = MINUTES_PER_DAY / EVERY_MINUTES;
/** Assumed; no two of them arrive between the same two checks. */
const EMAILS_A_DAY = 50;
const UNITS_PER_QUIET_RUN = 2;
const UNITS_PER_EMAIL = 20;
/** Checks in flight when a round begins or ends have taken units, and are not counted. */
const TOLERANCE = 1.01;
/**
 * What the worker, and Postgres, may spend on a check without new email, and on a user's day: 10,000 users then take
 * a third of a processor of each.
 */
const LONGEST_QUIET_MS = 10;
const LONGEST_DAY_MS = 3_000;
const POLL_MS = 200;
const LONGEST_ROUND_MS = 600_000;
const KEY = Buffer.alloc(32, 3);
const WORKER = new URL('../../../../apps/worker/src/main.ts', import.meta.url).pathname;

const insertUsers = async (pool: pg.Pool): Promise<void> => {
  const cipher = createTokenCipher({ current: KEY });
  const ids = Array.from({ length: USERS }, () => uuidv7());
  const tokens = ids.map((id) => cipher.encrypt('token', id));
  await pool.query(
    `INSERT INTO "User" ("id", "providerSubject", "email") SELECT id, id::text, '' FROM unnest($1::uuid[]) AS id`,
    [ids],
  );
  await pool.query(
    `INSERT INTO "ProviderConnection" ("userId", "encryptedAccessToken", "accessTokenExpiresAt", "scope")
     SELECT id, token, now() + interval '1 day', '' FROM unnest($1::uuid[], $2::text[]) AS connection(id, token)`,
    [ids, tokens],
  );
  await pool.query(`INSERT INTO "UserPreferences" ("userId", "watchEnabled") SELECT "id", true FROM "User"`);
  await pool.query(
    `INSERT INTO "MailboxWatch" ("userId", "dueAt", "historyId", "overlapHistoryId", "readAt")
     SELECT "id", NULL, '4000', '4000', now() FROM "User"`,
  );
};

/** Has the mailboxes of so many users be due, and waits until all are checked; returns how long that took. */
const checkAll = async (pool: pg.Pool, users: number): Promise<number> => {
  await pool.query('UPDATE "MailboxWatch" SET "lastRunAt" = NULL, "dueAt" = NULL');
  await pool.query(
    `UPDATE "MailboxWatch" SET "dueAt" = now()
     WHERE "userId" IN (SELECT "userId" FROM "MailboxWatch" ORDER BY "userId" LIMIT $1)`,
    [users],
  );
  const startedMs = performance.now();
  for (;;) {
    const { rows } = await pool.query<{ done: number }>(
      'SELECT count("lastRunAt")::int AS done FROM "MailboxWatch"',
    );
    const tookMs = performance.now() - startedMs;
    const done = rows[0]?.done ?? 0;
    if (done >= users) return tookMs;
    if (tookMs > LONGEST_ROUND_MS) throw new Error(`only ${done} of ${users} mailboxes were checked in time`);
    await sleep(POLL_MS);
  }
};

/** What the worker has done so far: checks, and its processor time in milliseconds. */
const readWorker = async (metricsUrl: string): Promise<{ runs: number; cpuMs: number }> => {
  const text = await (await fetch(metricsUrl)).text();
  const read = (pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);
  return {
    runs: read(/^mailsweep_watch_runs_total\{outcome="done".*\} (\d+)$/m),
    cpuMs: read(/^process_cpu_seconds_total\{.*\} ([\d.e+-]+)$/m) * 1_000,
  };
};

/** The main process of the database server. */
const findPostgres = async (pool: pg.Pool): Promise<number> => {
  const { rows } = await pool.query<{ file: string }>("SELECT pg_read_file('postmaster.pid') AS file");
  return Number.parseInt(rows[0]?.file ?? '', 10);
};

/** What the watch of 10,000 users costs one worker and the provider's quota, for each user and day. */
export const measureWatch = (servers: Servers): Promise<Result[]> =>
  servers.withDatabase(async ({ url, pool }) => {
    await insertUsers(pool);
    await using stack = new AsyncDisposableStack();
    const gmail = await startSimulatedGmail({ latencyMs: LATENCY_MS });
    stack.defer(() => gmail.close());
    const classification = await startClassificationStandIn(SUGGEST_ARCHIVE);
    stack.defer(() => classification.close());
    const port = await getPort();
    const worker = await startProcess({
      module: WORKER,
      healthUrl: `http://127.0.0.1:${port}/health`,
      env: {
        DATABASE_URL: url,
        ...(servers.redisUrl !== null && { REDIS_URL: servers.redisUrl }),
        TOKEN_ENCRYPTION_KEY: KEY.toString('base64'),
        OAUTH_ISSUER: 'http://127.0.0.1:1',
        OAUTH_CLIENT_ID: 'client',
        OAUTH_CLIENT_SECRET: 'client-secret',
        GMAIL_BASE_URL: gmail.url,
        ML_BASE_URL: classification.url,
        WORKER_PORT: String(port),
      },
    });
    stack.defer(() => worker.close());

    const postgres = await findPostgres(pool);
    const metricsUrl = `http://127.0.0.1:${port}/metrics`;
    /** Some users are due a second time before the last has had a first, so checks are counted, not users. */
    const measureRound = async (users: number) => {
      const [unitsBefore, before, postgresBefore] = [
        gmail.units(),
        await readWorker(metricsUrl),
        processorMs(postgres),
      ];
      const tookMs = await checkAll(pool, users);
      const after = await readWorker(metricsUrl);
      const runs = after.runs - before.runs;
      return {
        perSecond: (runs / tookMs) * 1_000,
        units: (gmail.units() - unitsBefore) / runs,
        cpuMs: (after.cpuMs - before.cpuMs) / runs,
        postgresMs: (processorMs(postgres) - postgresBefore) / runs,
      };
    };
    await measureRound(SAMPLE);
    const quiet = await measureRound(USERS);
    gmail.letEmailArrive();
    const withEmail = await measureRound(SAMPLE);

    const ofDay = (quietRun: number, emailRun: number): number =>
      (RUNS_A_DAY - EMAILS_A_DAY) * quietRun + EMAILS_A_DAY * emailRun;
    const needed = USERS / (EVERY_MINUTES * 60);
    const what = `watch of ${USERS} users on one worker`;
    const day = `watch, one user's day with ${EMAILS_A_DAY} new emails`;
    return [
      atLeastTimes(2, {
        name: `${what}, quiet checks; floor: one every ${EVERY_MINUTES} minutes for each`,
        unit: 'per second',
        ours: quiet.perSecond,
        floor: needed,
      }),
      atLeastTimes(2, {
        name: `${what}, checks with one new email; floor: the same`,
        unit: 'per second',
        ours: withEmail.perSecond,
        floor: needed,
      }),
      atMost(UNITS_PER_QUIET_RUN * TOLERANCE, {
        name: 'watch, a quiet check',
        unit: 'units',
        ours: quiet.units,
      }),
      atMost((RUNS_A_DAY * UNITS_PER_QUIET_RUN + EMAILS_A_DAY * UNITS_PER_EMAIL) * TOLERANCE, {
        name: day,
        unit: 'units',
        ours: ofDay(quiet.units, withEmail.units),
      }),
      atMost(LONGEST_QUIET_MS, {
        name: 'watch, a quiet check, processor time of the worker',
        unit: 'ms',
        ours: quiet.cpuMs,
      }),
      atMost(LONGEST_QUIET_MS, {
        name: 'watch, a quiet check, processor time of Postgres',
        unit: 'ms',
        ours: quiet.postgresMs,
      }),
      atMost(LONGEST_DAY_MS, {
        name: `${day}, processor time of the worker`,
        unit: 'ms',
        ours: ofDay(quiet.cpuMs, withEmail.cpuMs),
      }),
      atMost(LONGEST_DAY_MS, {
        name: `${day}, processor time of Postgres`,
        unit: 'ms',
        ours: ofDay(quiet.postgresMs, withEmail.postgresMs),
      }),
    ];
  });
