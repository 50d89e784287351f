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
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  await using started = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'mailsweep-test-'));
  const dataDir = join(folder, 'postgres');
  started.defer(() => {
    removePostgresData(dataDir);
    rmSync(folder, { recursive: true, force: true });
  });

  const port = await getPort();
  const postgres = await startEmbeddedPostgres({ dataDir, port, databases: [TEMPLATE], durable: false });
  started.defer(() => postgres.close());
  await migrateDatabase({ databaseUrl: postgres.urlOf(TEMPLATE) });

  const redis = await startRedisServer(await getPort());
  if (redis !== null) started.defer(() => redis.close());

  project.provide('adminDatabaseUrl', postgres.urlOf('postgres'));
  project.provide('templateDatabase', TEMPLATE);
  project.provide('redisUrl', redis?.url ?? null);
  // What is moved out is closed by the test run; anything that throws before is closed here.
  const running = started.move();
  return () => running.disposeAsync();
};
