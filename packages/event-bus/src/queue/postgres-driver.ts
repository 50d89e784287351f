import type { OutageLog } from '@mailsweep/service-kit';
import {
  assertSchemaCompatibility,
  createPostgresBackend,
  DEFAULT_SCHEMA,
  type PgPool,
  Queue,
  runMigrations,
  SchemaMigrationRequiredError,
  Worker,
} from 'bullmq';
import pg from 'pg';
import { assertClocksAgree } from './clock-skew.ts';
import { type AnyQueue, type AnyWorker, jobOptionsOf, QUEUE_TIMEOUT_MS, type QueueDriver } from './queues.ts';

/**
 * Longest sleep of an idle worker, in seconds. BullMQ would sleep for an hour and rely on a notification, which
 * a silently broken connection never delivers.
 */
const LONGEST_SLEEP_S = 5;

/** In which the queue's tables are. */
export const QUEUE_SCHEMA = DEFAULT_SCHEMA;

const createBackend: typeof createPostgresBackend = (name, options, factoryOptions) => {
  const backend = createPostgresBackend(name, options, factoryOptions);
  Object.defineProperty(backend, 'maximumBlockTimeout', { value: LONGEST_SLEEP_S });
  return backend;
};

/** The connection string with BullMQ's schema as the one in which names are looked up. */
const withQueueSchema = (databaseUrl: string): string => {
  const url = new URL(databaseUrl);
  const given = url.searchParams.get('options') ?? '';
  url.searchParams.set('options', `${given} -c search_path=${DEFAULT_SCHEMA}`.trim());
  return url.href;
};

/**
 * BullMQ would have Postgres make its schema where it is missing, which asks for the right to make schemas even where it
 * is not. A role that owns this one alone need not have that.
 */
const makeQueueTables = async (client: pg.PoolClient): Promise<void> => {
  const { rows } = await client.query<{ hasSchema: boolean }>(
    'SELECT to_regnamespace($1) IS NOT NULL AS "hasSchema"',
    [DEFAULT_SCHEMA],
  );
  const isSkipped = (sql: string) => rows[0]?.hasSchema === true && sql.startsWith('CREATE SCHEMA');
  await runMigrations({
    query: (sql: string, values?: unknown[]) => client.query(isSkipped(sql) ? 'SELECT 1' : sql, values),
  } as Parameters<typeof runMigrations>[0]);
};

/** Migrates the queue's tables; BullMQ's advisory lock makes concurrent migrations safe. */
const migrateQueueTables = async (pool: pg.Pool): Promise<void> => {
  const client = await pool.connect();
  try {
    await assertSchemaCompatibility(client);
    client.release();
  } catch (error) {
    if (!(error instanceof SchemaMigrationRequiredError)) {
      client.release(true);
      throw error;
    }
    await makeQueueTables(client).finally(() => client.release(true));
  }
};

/**
 * Runs the queues on Postgres, in a schema of their own, for installations without Redis.
 *
 * @param options.poolSize - most connections at once; each worker holds one of them for itself
 */
export const openPostgresDriver = (options: {
  databaseUrl: string;
  poolSize: number;
  outageLog: OutageLog;
}): QueueDriver => {
  const { outageLog } = options;
  const pool = new pg.Pool({
    connectionString: withQueueSchema(options.databaseUrl),
    max: options.poolSize,
    connectionTimeoutMillis: QUEUE_TIMEOUT_MS,
    query_timeout: QUEUE_TIMEOUT_MS,
    keepAlive: true,
  });
  // The same at run time; BullMQ declares its own, narrower, view of it.
  const connection = pool as unknown as PgPool;
  // Each queue and worker adds a listener to ours.
  pool.setMaxListeners(0);
  pool.on('error', outageLog.failed);
  // The pool no longer listens to a connection that is closing; an error just then must not end the process.
  pool.on('connect', (client) => void client.on('error', () => undefined));

  const readClock = async (): Promise<number> => {
    const { rows } = await pool.query<{ ms: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
    );
    return rows[0]?.ms ?? Number.NaN;
  };

  let migration: Promise<void> | undefined;
  const ensureTables = (): Promise<void> => {
    migration ??= migrateQueueTables(pool).catch((error: unknown) => {
      migration = undefined;
      throw error;
    });
    return migration;
  };

  // BullMQ's queues and workers never recover from a failed first connection, so such an object is discarded.
  const openWhenReady = async <T extends { waitUntilReady(): Promise<unknown>; close(): Promise<void> }>(
    open: () => T,
  ): Promise<T> => {
    await ensureTables();
    const opened = open();
    try {
      await opened.waitUntilReady();
      return opened;
    } catch (error) {
      await opened.close();
      throw error;
    }
  };

  return {
    kind: 'postgres',
    async openQueue(name) {
      const queueOptions = { connection, defaultJobOptions: jobOptionsOf(name) };
      const queue = await openWhenReady(() => {
        const opened = new Queue(name, queueOptions, createBackend);
        opened.on('error', outageLog.failed);
        return opened;
      });
      return queue as unknown as AnyQueue;
    },
    async openWorker(name, process, settings) {
      // BullMQ locks jobs by the clocks of the workers: a worker whose clock is fast would take over the jobs of all others.
      await assertClocksAgree(readClock);
      const worker = await openWhenReady(() => {
        const opened = new Worker(name, process, { ...settings, connection, autorun: false }, createBackend);
        opened.on('error', outageLog.failed);
        return opened;
      });
      // Started only once the caller can close it: a closing worker takes no further job.
      worker.run().catch(outageLog.failed);
      return worker as unknown as AnyWorker;
    },
    async ping() {
      await pool.query('SELECT 1');
    },
    async close() {
      await pool.end();
    },
  };
};
