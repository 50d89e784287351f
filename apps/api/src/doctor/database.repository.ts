import type { Database } from '@mailsweep/database';

export interface ServerState {
  /** Such as 150004 for 15.4. */
  version: number;
  clockMs: number;
  /** Such as UTF8. */
  encoding: string;
}

export const readServerState = async (database: Database): Promise<ServerState> => {
  const [state] = await database.$queryRaw<[ServerState]>`
    SELECT current_setting('server_version_num')::int AS "version",
      current_setting('server_encoding') AS "encoding", (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "clockMs"`;
  return state;
};

/**
 * What the role may not do: tables with the rights that are missing, whether it may use the queue or make its tables, and
 * whether it may make temporary tables.
 */
export const readMissingRights = async (
  database: Database,
  queueSchema: string,
): Promise<{ tables: string[]; queue: 'usable' | 'absent' | 'refused'; mayMakeTemporary: boolean }> => {
  const tables = await database.$queryRaw<{ name: string }[]>`
    SELECT format('%s on %s', string_agg("right", ', '), relname) AS "name"
    FROM pg_class, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS "right"
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname <> 'schemaversion'
      AND NOT has_table_privilege(oid, "right")
    GROUP BY relname ORDER BY relname`;
  const [queue] = await database.$queryRaw<
    [{ hasTables: boolean; mayUse: boolean; mayMakeTables: boolean; mayMakeTemporary: boolean }]
  >`
    SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = "schema".oid AND relkind = 'r') AS "hasTables",
      coalesce(has_schema_privilege("schema".oid, 'USAGE'), false) AS "mayUse",
      coalesce(has_schema_privilege("schema".oid, 'CREATE'), has_database_privilege("name", 'CREATE')) AS "mayMakeTables",
      has_database_privilege("name", 'TEMPORARY') AS "mayMakeTemporary"
    FROM (SELECT current_database() AS "name") AS "this" LEFT JOIN pg_namespace AS "schema" ON nspname = ${queueSchema}`;
  const { hasTables, mayUse, mayMakeTables, mayMakeTemporary } = queue;
  const isRefused = hasTables ? !mayUse : !mayMakeTables;
  return {
    tables: tables.map(({ name }) => name),
    queue: isRefused ? 'refused' : hasTables ? 'usable' : 'absent',
    mayMakeTemporary,
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
