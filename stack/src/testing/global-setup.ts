import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase } from '@mailsweep/database/migrate';
import type {} from '@mailsweep/database/testing';
import getPort from 'get-port';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../embedded-postgres.ts';
import { removePostgresData } from '../postgres-place.ts';
import { startRedisServer } from './redis-server.ts';

/** The migrated database that every test copies. */
const TEMPLATE = 'mailsweep_template';

/** Starts one real Postgres, and Redis where there is one, for all component tests of a run. */
export const setup = async (project: TestProject) => {
  const folder = mkdtempSync(join(tmpdir(), 'mailsweep-test-'));
  const dataDir = join(folder, 'postgres');
  const postgres = await startEmbeddedPostgres({
    dataDir,
    port: await getPort(),
    databases: [TEMPLATE],
    durable: false,
  });
  await migrateDatabase({ databaseUrl: postgres.urlOf(TEMPLATE) });
  const redis = await startRedisServer(await getPort());
  project.provide('adminDatabaseUrl', postgres.urlOf('postgres'));
  project.provide('templateDatabase', TEMPLATE);
  project.provide('redisUrl', redis?.url ?? null);
  return async () => {
    await redis?.close();
    await postgres.close();
    removePostgresData(dataDir);
    rmSync(folder, { recursive: true, force: true });
  };
};
