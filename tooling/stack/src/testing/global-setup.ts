import { migrateDatabase } from '@mailsweep/database/migrate';
import { toRoleUrls } from '@mailsweep/database/roles';
import type {} from '@mailsweep/database/testing';
import { DOMAIN_EVENTS_QUEUE, openQueueBackend } from '@mailsweep/event-bus';
import { createLogger } from '@mailsweep/service-kit';
import { findFreePort, findServerParent } from '@mailsweep/service-kit/testing';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../database/embedded-postgres.ts';
import { startRedisServer } from './redis-server.ts';
import { endAbandonedServers, makeServerFolder } from './server-folder.ts';

/** The migrated database that every test copies. */
const TEMPLATE = 'mailsweep_template';
/** The databases of two runs at once: tests create and drop a thousand, of 300 files each. */
const NEEDED_BYTES = 2 * 1024 ** 3;

/** Starts one real Postgres, and Redis where there is one, for all component tests of a run. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  await using started = new AsyncDisposableStack();
  const parent = findServerParent(NEEDED_BYTES);
  await endAbandonedServers(parent);
  const folder = makeServerFolder(parent);
  started.defer(() => folder.remove());

  const postgres = await startEmbeddedPostgres({
    dataDir: folder.postgresDataDir,
    port: await findFreePort(),
    databases: [TEMPLATE],
    durable: false,
  });
  started.defer(() => postgres.close());
  await fillTemplate(postgres.urlOf(TEMPLATE));

  const redis = await startRedisServer(await findFreePort(), { pidFile: folder.redisPidFile });
  if (redis !== null) started.defer(() => redis.close());

  project.provide('adminDatabaseUrl', postgres.urlOf('postgres'));
  project.provide('templateDatabase', TEMPLATE);
  project.provide('redisUrl', redis?.url ?? null);
  // What is moved out is closed by the test run; anything that throws before is closed here.
  const running = started.move();
  return () => running.disposeAsync();
};

/** Makes all tables, those of the queue too, which would take each test of a queue 200 ms. */
const fillTemplate = async (superuserUrl: string): Promise<void> => {
  const { ownerUrl, serviceUrl: databaseUrl } = toRoleUrls(superuserUrl);
  await migrateDatabase({ databaseUrl: ownerUrl });
  const logger = createLogger({ service: 'test-servers', level: 'silent' });
  const queues = await openQueueBackend({ databaseUrl, logger });
  await queues.openQueue(DOMAIN_EVENTS_QUEUE);
  await queues.close();
};
