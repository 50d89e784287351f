import { readPostmasterPid } from '../database/stale-postmaster.ts';
import { locatePostgres } from '../postgres-place.ts';
import type { Part } from '../supervision/supervisor.ts';
import { isDatabaseReady } from './database-readiness.ts';
import { DATABASE_NAME, type StackPlan } from './stack-plan.ts';

/** Making the cluster takes a while at the very first start. */
const START_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 4_000;

/** The embedded Postgres; none when a database is given. */
export const createDatabasePart = async (plan: StackPlan): Promise<Part | null> => {
  if (plan.config.given.databaseUrl !== undefined) return null;
  const { dataDir } = await locatePostgres(plan.folder.postgresDir);
  return {
    name: 'database',
    title: 'Database',
    command: {
      module: new URL('../database/main.ts', import.meta.url),
      env: {
        ...plan.environment,
        PORT: String(plan.ports.database),
        DATABASE_DIR: plan.folder.postgresDir,
        DATABASE_NAME,
      },
    },
    isReady: () => isDatabaseReady(plan.addresses.database),
    readPid: () => readPostmasterPid(dataDir),
    startTimeoutMs: START_TIMEOUT_MS,
    stopTimeoutMs: STOP_TIMEOUT_MS,
  };
};
