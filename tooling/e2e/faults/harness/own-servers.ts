import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase } from '@mailsweep/database/migrate';
import { connectTestDatabase } from '@mailsweep/database/testing';
import { removePostgresData, startEmbeddedPostgres, startRedisServer } from '@mailsweep/stack/testing';
import { findFreePort } from './free-port.ts';

/** Starts a Postgres of a scenario's own, which it may stop, and whose settings it may change. */
export const startOwnPostgres = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mailsweep-own-postgres-'));
  // As root, Postgres runs as another user.
  chmodSync(folder, 0o711);
  const dataDir = join(folder, 'postgres');
  const port = await findFreePort();
  const start = () => startEmbeddedPostgres({ dataDir, port, databases: ['mailsweep'], durable: false });
  let server = await start();
  const database = connectTestDatabase(server.urlOf('mailsweep'));
  await migrateDatabase({ databaseUrl: database.ownerUrl });
  return {
    database,
    stop: () => server.close(),
    /** Starts it again, with its data. */
    async start() {
      server = await start();
    },
    /** @param words - such as `SET default_transaction_read_only = on` */
    async changeSetting(words: string) {
      await database.query(`ALTER SYSTEM ${words}`);
      await database.query('SELECT pg_reload_conf()');
    },
    async close() {
      await server.close();
      removePostgresData(dataDir);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Starts a Redis of a scenario's own, which keeps its data over restarts, as production's does. */
export const startOwnRedis = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mailsweep-own-redis-'));
  const port = await findFreePort();
  let server = await startRedisServer(port, { folder });
  return {
    url: server?.url ?? '',
    async stop() {
      await server?.close();
    },
    async start() {
      server = await startRedisServer(port, { folder });
    },
    /** Deletes its data; it has to be stopped. */
    forget: () => rmSync(join(folder, 'appendonlydir'), { recursive: true }),
    async close() {
      await server?.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
