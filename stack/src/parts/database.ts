import { startEmbeddedPostgres } from '../database/embedded-postgres.ts';
import { locatePostgres } from '../database/postgres-place.ts';
import { endStalePostmaster, readPostmasterPid } from '../database/stale-postmaster.ts';
import type { HostedPart } from '../supervision/supervisor.ts';
import { isDatabaseReady } from './database-readiness.ts';
import { DATABASE_NAME, type StackPlan } from './stack-plan.ts';

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
  const { dataDir } = await locatePostgres(plan.folder.postgresDir);
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
    readPid: () => readPostmasterPid(dataDir),
    startTimeoutMs: START_TIMEOUT_MS,
    stopTimeoutMs: STOP_TIMEOUT_MS,
  };
};
