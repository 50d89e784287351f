import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../client.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A database on the test server from which others can be made. */
    adminDatabaseUrl: string;
    templateDatabase: string;
    /** null where the machine has no Redis: suites on Redis are then skipped. */
    redisUrl: string | null;
  }
}

/** A test waits where a request would fail: a busy machine is slow to start a connection. Unit: milliseconds. */
const CONNECT_TIMEOUT_MS = 30_000;

export interface TestDatabase {
  url: string;
  database: Database;
  /** Runs SQL and returns the rows. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Removes the rows of all tables: quicker than another database, where no test changes tables themselves. */
  empty(): Promise<void>;
  drop(): Promise<void>;
}

let adminPool: pg.Pool | undefined;

/** Over one connection for all files of a process; it ends with the process, or with the server. */
const runAsAdmin = async (sql: string): Promise<void> => {
  adminPool ??= new pg.Pool({
    connectionString: inject('adminDatabaseUrl'),
    max: 1,
    allowExitOnIdle: true,
  }).on('error', () => undefined);
  await adminPool.query(sql);
};

/** A database of a test's own, copied from the migrated template of the run; copying takes some 20 ms. */
export const createTestDatabase = async (): Promise<TestDatabase> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // The other strategy logs every page of the template: twice the work.
  await runAsAdmin(`CREATE DATABASE ${name} TEMPLATE ${inject('templateDatabase')} STRATEGY FILE_COPY`);
  const url = new URL(inject('adminDatabaseUrl'));
  url.pathname = name;
  const connected = connectTestDatabase(url.href);
  return {
    ...connected,
    async drop() {
      await connected.drop();
      await runAsAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
};

/** A migrated database on a server of the test's own; `drop` only ends the connections. */
export const connectTestDatabase = (url: string): TestDatabase => {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  // The pool counts as ended before its connections are; dropping the database then ends them the hard way.
  pool.on('error', () => undefined);
  const database = openDatabase({ databaseUrl: url, connectTimeoutMs: CONNECT_TIMEOUT_MS });
  return {
    url,
    database,
    query: async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
      (await pool.query<Row>(sql, values)).rows,
    async empty() {
      // Tables that triggers keep would be emptied twice.
      await pool.query(`DO $$ BEGIN
        SET LOCAL session_replication_role = replica;
        EXECUTE (SELECT 'TRUNCATE ' || string_agg(format('%I', tablename), ', ')
          FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schemaversion');
      END $$`);
    },
    async drop() {
      await database.$disconnect();
      await pool.end();
    },
  };
};
