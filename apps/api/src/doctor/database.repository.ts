import type { Database } from '@mailsweep/database';

export interface ServerState {
  /** Such as 150004 for 15.4. */
  version: number;
  clockMs: number;
}

export const readServerState = async (database: Database): Promise<ServerState> => {
  const [state] = await database.$queryRaw<[ServerState]>`
    SELECT current_setting('server_version_num')::int AS "version",
      (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "clockMs"`;
  return state;
};

/** What the role may not do: tables with the rights that are missing, and whether it may use the schema of the queue. */
export const readMissingRights = async (
  database: Database,
  queueSchema: string,
): Promise<{ tables: string[]; queue: 'usable' | 'absent' | 'refused' }> => {
  const tables = await database.$queryRaw<{ name: string }[]>`
    SELECT format('%s on %s', string_agg("right", ', '), relname) AS "name"
    FROM pg_class, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS "right"
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname <> 'schemaversion'
      AND NOT has_table_privilege(oid, "right")
    GROUP BY relname ORDER BY relname`;
  const [queue] = await database.$queryRaw<[{ exists: boolean; mayUse: boolean; mayCreate: boolean }]>`
    SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = ${queueSchema}) AS "exists",
      coalesce((SELECT has_schema_privilege(oid, 'USAGE') FROM pg_namespace WHERE nspname = ${queueSchema}), false) AS "mayUse",
      has_database_privilege(current_database(), 'CREATE') AS "mayCreate"`;
  const isRefused = queue.exists ? !queue.mayUse : !queue.mayCreate;
  return {
    tables: tables.map(({ name }) => name),
    queue: isRefused ? 'refused' : queue.exists ? 'usable' : 'absent',
  };
};

/** Connections that the server, the database and the role allow, and how many are open. */
export const countConnections = async (
  database: Database,
): Promise<{ allowed: number; open: number; ours: number }> => {
  const [counts] = await database.$queryRaw<[{ allowed: number; open: number; ours: number }]>`
    SELECT least(
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true)::int, 0),
        (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database()),
        (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user)
      )::int AS "allowed",
      (SELECT sum(numbackends) FROM pg_stat_database)::int AS "open",
      (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user)::int AS "ours"`;
  return counts;
};

/** The names of the programs that are connected to the database; every role may read them. */
export const listProgramNames = async (database: Database): Promise<string[]> => {
  const rows = await database.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT application_name AS "name" FROM pg_stat_activity
    WHERE datname = current_database() AND application_name <> ''`;
  return rows.map(({ name }) => name);
};
