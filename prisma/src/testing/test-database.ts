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

/** Names the connections over which a test looks at its database. */
const TEST_CONNECTION = 'test';

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

/** Deletes all rows and restarts all sequences. Large tables are truncated, which also frees their space. */
const EMPTY = `DO $$ DECLARE filled record; large text; BEGIN
  -- Tables that triggers keep would be emptied twice.
  SET LOCAL session_replication_role = replica;
  FOR filled IN SELECT oid::regclass AS name, pg_relation_size(oid) > 65536 AS is_large FROM pg_class
    WHERE relkind = 'r' AND relnamespace IN ('public'::regnamespace, to_regnamespace('bullmq'))
      AND relname NOT IN ('schemaversion', 'migration') AND pg_relation_size(oid) > 0
  LOOP
    IF filled.is_large THEN large := concat_ws(', ', large, filled.name);
    ELSE EXECUTE format('DELETE FROM %s', filled.name); END IF;
  END LOOP;
  IF large IS NOT NULL THEN EXECUTE format('TRUNCATE %s CASCADE', large); END IF;
  PERFORM setval(format('%I.%I', schemaname, sequencename), start_value, false) FROM pg_sequences
    WHERE last_value IS NOT NULL;
END $$`;

/** A fingerprint of all that a test may change of a database and {@link EMPTY} leaves as it is. */
const SHAPE = `SELECT md5(string_agg(line, ',' ORDER BY line)) AS shape FROM (
  SELECT concat_ws(' ', relnamespace, relname, relkind, relowner, relacl) AS line FROM pg_class
    WHERE relnamespace >= 16384 OR relnamespace = 'public'::regnamespace
  UNION ALL SELECT concat_ws(' ', nspname, nspowner, nspacl) FROM pg_namespace WHERE nspname !~ '^pg_'
  UNION ALL SELECT concat_ws(' ', attrelid, attname, atttypid, attnotnull) FROM pg_attribute
    WHERE attrelid >= 16384 AND attnum > 0
  UNION ALL SELECT concat_ws(' ', conrelid, conname, pg_get_constraintdef(oid)) FROM pg_constraint
    WHERE oid >= 16384
  UNION ALL SELECT concat_ws(' ', tgrelid, tgname, tgenabled, tgfoid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT concat_ws(' ', pronamespace, proname, proacl, md5(prosrc)) FROM pg_proc WHERE oid >= 16384
  UNION ALL SELECT concat_ws(' ', version, md5) FROM schemaversion
  UNION ALL SELECT concat_ws(' ', datdba, datacl, datconnlimit) FROM pg_database
    WHERE datname = current_database()
  UNION ALL SELECT concat_ws(' ', setrole, setconfig) FROM pg_db_role_setting
    JOIN pg_database ON pg_database.oid = setdatabase WHERE datname = current_database()) AS lines`;

/** The fingerprint of the template; undefined before the first copy of it. */
let templateShape: string | undefined;
/** Emptied databases that a later test of this process takes: copying and dropping one costs ten times as much. */
const emptied: string[] = [];

/** A database of a test's own: a copy of the migrated template of the run, or one that an earlier test has left. */
export const createTestDatabase = async (): Promise<TestDatabase> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const left = emptied.pop();
  if (left !== undefined) {
    // Under another name: what outlived its test must not find it.
    await runAsAdmin(`ALTER DATABASE ${left} RENAME TO ${name}`);
    await runAsAdmin(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  } else {
    // The other strategy logs every page of the template: twice the work.
    const template = inject('templateDatabase');
    await runAsAdmin(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
    // A copy has the owner and the rights of any new database.
    await runAsAdmin(`UPDATE pg_database SET (datdba, datacl) =
      (SELECT datdba, datacl FROM pg_database WHERE datname = '${template}') WHERE datname = '${name}'`);
  }
  const connected = connectTestDatabase(
    Object.assign(new URL(inject('adminDatabaseUrl')), { pathname: name }).href,
  );
  // Undefined also where the table of versions is gone.
  const readShape = () =>
    connected.query<{ shape: string }>(SHAPE).then(
      ([row]) => row?.shape,
      () => undefined,
    );
  templateShape ??= await readShape();
  return {
    ...connected,
    async drop() {
      const isUnchanged = (await readShape()) === templateShape;
      // What a test has left running connects again and again.
      await runAsAdmin(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await runAsAdmin(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
        WHERE datname = '${name}' AND application_name <> '${TEST_CONNECTION}'`);
      if (isUnchanged) await connected.empty();
      await connected.drop();
      if (isUnchanged) emptied.push(name);
      else await runAsAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
};

/** A migrated database with its roles on a server of the test's own; `drop` only ends the connections. */
export const connectTestDatabase = (
  superuserUrl: string,
  urls: RoleUrls = toRoleUrls(superuserUrl),
): TestDatabase => {
  const url = urls.serviceUrl;
  const pool = new pg.Pool({
    connectionString: superuserUrl,
    application_name: TEST_CONNECTION,
    max: 2,
  });
  // The pool counts as ended before its connections are; dropping the database then ends them the hard way.
  pool.on('error', () => undefined);
  const database = openDatabase({ databaseUrl: url, connectTimeoutMs: CONNECT_TIMEOUT_MS });
  return {
    ...urls,
    url,
    database,
    query: async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
      (await pool.query<Row>(sql, values)).rows,
    empty: async () => void (await pool.query(EMPTY)),
    async drop() {
      await database.$disconnect();
      await pool.end();
    },
  };
};
