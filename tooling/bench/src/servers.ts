import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mailsweep } from '@mailsweep/core';
import { openTestMailsweep } from '@mailsweep/core/testing';
import { type Database, openDatabase } from '@mailsweep/database';
import { migrateDatabase } from '@mailsweep/database/migrate';
import { removePostgresData, startEmbeddedPostgres, startRedisServer } from '@mailsweep/stack/testing';
import getPort from 'get-port';
import pg from 'pg';

/** The servers that the benches share; each bench has a migrated database of its own. */
export interface Servers {
  /** null where the machine has no Redis. */
  redisUrl: string | null;
  /** Makes a database, opened by Prisma as the services do and by the bare driver; drops it afterwards. */
  withDatabase<T>(
    work: (handles: {
      url: string;
      database: Database;
      /** The product over the database, with texts that are not encrypted. */
      mailsweep: Mailsweep;
      pool: pg.Pool;
    }) => Promise<T>,
  ): Promise<T>;
}

const TEMPLATE = 'mailsweep_bench';
/** Leaves texts as they are. */
export const PLAIN = { encrypt: (text: string) => text, decrypt: (text: string) => text };

/** Starts a Postgres and, where there is one, a Redis. */
export const startServers = async (): Promise<Servers & AsyncDisposable> => {
  await using started = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'mailsweep-bench-'));
  const dataDir = join(folder, 'postgres');
  started.defer(() => {
    removePostgresData(dataDir);
    rmSync(folder, { recursive: true, force: true });
  });
  const postgres = await startEmbeddedPostgres({
    dataDir,
    port: await getPort(),
    databases: [TEMPLATE],
    durable: false,
  });
  started.defer(() => postgres.close());
  await migrateDatabase({ databaseUrl: postgres.urlOf(TEMPLATE) });
  const redis = await startRedisServer(await getPort());
  if (redis !== null) started.defer(() => redis.close());

  const runAsAdmin = async (sql: string) => {
    const client = new pg.Client({ connectionString: postgres.urlOf('postgres') });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  let made = 0;
  const running = started.move();
  return {
    redisUrl: redis?.url ?? null,
    async withDatabase(work) {
      made += 1;
      const name = `bench_${made}`;
      await runAsAdmin(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
      const url = postgres.urlOf(name);
      const database = openDatabase({ databaseUrl: url });
      const mailsweep = openTestMailsweep({ database, cipher: PLAIN });
      const pool = new pg.Pool({ connectionString: url });
      pool.on('error', () => undefined);
      try {
        return await work({ url, database, mailsweep, pool });
      } finally {
        await mailsweep.close();
        await database.$disconnect();
        await pool.end();
        await runAsAdmin(`DROP DATABASE ${name} WITH (FORCE)`);
      }
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
};
