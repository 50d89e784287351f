import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../generated/client.ts';
import {
  createReadDirectly,
  createStatementNameGenerator,
  type ReadDirectly,
} from './prepared-statements.ts';
import { TracedClient } from './traced-client.ts';

/** Longest wait for a free connection when nothing else is said, in milliseconds: a request must fail fast. */
const CONNECT_TIMEOUT_MS = 2_000;
/** Longest run of one statement, in milliseconds, on the server and as seen from here. */
const STATEMENT_TIMEOUT_MS = 15_000;
/** Connections of one process when nothing else is said. */
const DEFAULT_POOL_SIZE = 10;

/** The database as use cases and repositories see it. */
export type Database = PrismaClient & { readDirectly: ReadDirectly };
/** The database inside a transaction. */
export type Transaction = Parameters<Parameters<PrismaClient['$transaction']>[0]>[0];

/**
 * Opens a pool of connections. The first query connects; `$disconnect` closes
 * them all.
 *
 * @param options.applicationName - what `pg_stat_activity` calls the connections
 * @param options.poolSize - most connections at once
 * @param options.connectTimeoutMs - longest wait for a free connection
 */
export const openDatabase = (options: {
  databaseUrl: string;
  poolSize?: number | undefined;
  connectTimeoutMs?: number;
  applicationName?: string;
}): Database => {
  const connectTimeoutMs = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  const pool = new pg.Pool({
    Client: TracedClient,
    connectionString: options.databaseUrl,
    max: options.poolSize ?? DEFAULT_POOL_SIZE,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: options.applicationName,
    // Compiling a statement to machine code can hold up its first run for most of a second; ours take milliseconds.
    // Without parallel workers one statement takes one core, however large the mailbox is that it reads.
    options: '-c jit=off -c max_parallel_workers_per_gather=0',
    query_timeout: STATEMENT_TIMEOUT_MS + connectTimeoutMs,
    keepAlive: true,
  });
  // The pool has dropped a broken idle connection; the next query gets another one.
  pool.on('error', () => undefined);
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { statementNameGenerator: createStatementNameGenerator() }),
    transactionOptions: { maxWait: connectTimeoutMs, timeout: STATEMENT_TIMEOUT_MS },
    // The other formats quote source lines and arguments into messages that end up in logs.
    errorFormat: 'minimal',
  });
  const disconnectPrisma = prisma.$disconnect.bind(prisma);
  let closing: Promise<void> | undefined;
  const close = async () => {
    await disconnectPrisma();
    await pool.end();
  };
  return Object.assign(prisma, {
    $disconnect: () => (closing ??= close()),
    readDirectly: createReadDirectly(pool),
  });
};
