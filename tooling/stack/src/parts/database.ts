import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../database/embedded-postgres.ts';
import { findPostmaster, locatePostgres } from '../database/postgres-place.ts';
import { commandLineOf, isRunning } from '../database/process-table.ts';
import type { HostedPart } from '../supervision/supervisor.ts';
import { DATABASE_NAME, type StackPlan } from './stack-plan.ts';

/** How long a server gets to end in an orderly way, and then at all, in milliseconds. */
const ORDERLY_END_MS = 5_000;
const POLL_MS = 50;

/**
 * Clears what a server leaves behind whose keeper was killed (kill -9): the server itself when it still runs, or a
 * lock file whose process id belongs to another process by now, which Postgres would take for a running server.
 */
const endStalePostmaster = async (dataDir: string): Promise<void> => {
  const { dataDir: placed } = await locatePostgres(dataDir);
  const pid = findPostmaster(dataDir);
  if (!pid || !isRunning(pid)) return;
  const isOurs = (commandLineOf(pid) ?? '').includes(placed);
  if (!isOurs) {
    rmSync(join(placed, 'postmaster.pid'), { force: true });
    return;
  }
  // Postgres's "fast" shutdown; then the "immediate" one, after which the next start recovers.
  process.kill(pid, 'SIGINT');
  if (await hasEnded(pid)) return;
  process.kill(pid, 'SIGQUIT');
  await hasEnded(pid);
};

const hasEnded = async (pid: number): Promise<boolean> => {
  const deadline = Date.now() + ORDERLY_END_MS;
  while (isRunning(pid)) {
    if (Date.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
};

/** A server on a busy machine takes seconds to start a connection. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Why a database takes no connection, as its driver says; null when it does. */
export const findConnectionError = async (databaseUrl: string): Promise<string | null> => {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  try {
    await client.connect();
    await client.query('SELECT 1');
    return null;
  } catch (error) {
    return error instanceof Error ? error.message || error.name : 'unknown';
  } finally {
    await client.end();
  }
};

const isDatabaseReady = async (databaseUrl: string): Promise<boolean> =>
  (await findConnectionError(databaseUrl)) === null;

/** Making the cluster takes a while at the very first start. */
const START_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 4_000;
/**
 * Postgres writes failing statements and rows into its log, mail among them: only lines about the server itself
 * are kept.
 */
const SERVER_LINE = / (LOG|WARNING|FATAL|PANIC): {2}/;

/** The embedded Postgres; none when a database is given. */
export const createDatabasePart = async (plan: StackPlan): Promise<HostedPart | null> => {
  if (plan.config.given.databaseUrl !== undefined) return null;
  // Where there is none for this platform, nothing is started.
  await locatePostgres(plan.folder.postgresDir);
  return {
    name: 'database',
    title: 'Database',
    async open(logger) {
      await endStalePostmaster(plan.folder.postgresDir);
      const postgres = await startEmbeddedPostgres({
        dataDir: plan.folder.postgresDir,
        port: plan.ports.database,
        databases: [DATABASE_NAME],
        durable: true,
        onLine: (line) => {
          if (SERVER_LINE.test(line)) logger.info({ line }, 'postgres');
        },
      });
      return { close: postgres.close, ended: postgres.exited.then(() => 'ended by itself') };
    },
    isReady: () => isDatabaseReady(plan.addresses.database),
    readPid: () => findPostmaster(plan.folder.postgresDir) || undefined,
    startTimeoutMs: START_TIMEOUT_MS,
    stopTimeoutMs: STOP_TIMEOUT_MS,
  };
};
