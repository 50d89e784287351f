import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../client.ts';
import { type RoleUrls, toRoleUrls } from '../roles.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A database on the test server from which others can be made, as the superuser. */
    adminDatabaseUrl: string;
    templateDatabase: string;
    /** null where the machine has no Redis: suites on Redis are then skipped. */
    redisUrl: string | null;
  }
}

/** A test waits where a request would fail: a busy machine is slow to start a connection. Unit: milliseconds. */
const CONNECT_TIMEOUT_MS = 30_000;

export interface TestDatabase extends RoleUrls {
  /** The same as `serviceUrl`: what is tested has the rights that it has in production. */
  url: string;
  database: Database;
  /** Runs SQL as the superuser and returns the rows. */
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
  const template = inject('templateDatabase');
  await runAsAdmin(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  // A copy has the owner and the rights of any new database.
  await runAsAdmin(`UPDATE pg_database SET (datdba, datacl) =
    (SELECT datdba, datacl FROM pg_database WHERE datname = '${template}') WHERE datname = '${name}'`);
  const connected = connectTestDatabase(
    Object.assign(new URL(inject('adminDatabaseUrl')), { pathname: name }).href,
  );
  return {
    ...connected,
    async drop() {
      await connected.drop();
      await runAsAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
};

/** A migrated database with its roles on a server of the test's own; `drop` only ends the connections. */
export const connectTestDatabase = (
  superuserUrl: string,
  urls: RoleUrls = toRoleUrls(superuserUrl),
): TestDatabase => {
  const url = urls.serviceUrl;
  const pool = new pg.Pool({ connectionString: superuserUrl, max: 2 });
  // The pool counts as ended before its connections are; dropping the database then ends them the hard way.
  pool.on('error', () => undefined);
  const database = openDatabase({ databaseUrl: url, connectTimeoutMs: CONNECT_TIMEOUT_MS });
  return {
    ...urls,
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
