import pg from 'pg';

/** A server on a busy machine takes seconds to start a connection. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Why a database takes no connection, as its driver says; null when it does. */
export const findConnectionError = async (databaseUrl: string): Promise<string | null> => {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  try {
    await client.connect();
    await client.query('SELECT 1');
    return null;
  } catch (error) {
    return error instanceof Error ? error.message || error.name : 'unknown';
  } finally {
    await client.end();
  }
};

/** Whether the database takes connections. */
export const isDatabaseReady = async (databaseUrl: string): Promise<boolean> =>
  (await findConnectionError(databaseUrl)) === null;
