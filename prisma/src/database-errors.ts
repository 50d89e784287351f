import pg from 'pg';
import { z } from 'zod';
import { Prisma } from '../generated/client.ts';
import { DirectReadError } from './prepared-statements.ts';

/**
 * Prisma's codes for a database that can't be reached, refuses us, is out of connections or too slow, or ended a
 * transaction that was in the way of another one (Prisma error reference).
 */
const UNAVAILABLE_CODES = new Set([
  ...['P1000', 'P1001', 'P1002', 'P1003', 'P1008', 'P1010', 'P1011', 'P1017'],
  ...['P2024', 'P2028', 'P2034', 'P2037'],
]);

/** The same, as the driver adapter calls what has no code of Postgres. */
const UNAVAILABLE_KINDS = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TlsConnectionError',
]);

/**
 * Conditions of the server rather than of the query (PostgreSQL manual, appendix A): connection exceptions, a server that
 * takes no writes, transactions, statements and waits for locks cut short, a refused sign-in, a database that is not
 * there, conflicts with another transaction or with the recovery of a standby, insufficient resources, a server going
 * down or coming up, errors of its disk.
 */
const UNAVAILABLE_SQLSTATE =
  /^(08\w{3}|25006|25P0[34]|28\w{3}|3D000|40(001|003|P01)|53\w{3}|55P03|57014|57P0[1-5]|580[03]0)$/;

/** What the driver throws about its connections, with nothing but a message, and Prisma passes on as it is. */
const CONNECTION_MESSAGES = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
]);

/** Error codes of sockets, of the DNS and of TLS in Node. */
const CONNECTION_CODE = /^E(?!RR_)[A-Z_]+$|^ERR_(TLS|SSL)_|CERT/;

/** Calls to the system that fail on sockets. */
const SOCKET_CALLS = new Set<unknown>(['connect', 'getaddrinfo', 'read', 'write']);

const DriverAdapterErrorSchema = z.object({
  name: z.literal('DriverAdapterError'),
  cause: z.object({ kind: z.string().optional(), originalCode: z.string().optional() }),
});

/** What the driver adapter says of an error: its kind, and Postgres' own code. At a COMMIT, Prisma throws it as it is. */
const readDriverCause = (error: unknown) => {
  const thrown =
    error instanceof Prisma.PrismaClientKnownRequestError ? error.meta?.driverAdapterError : error;
  return DriverAdapterErrorSchema.safeParse(thrown).data?.cause ?? {};
};

/** Whether an error means that the database is out of reach, rather than that the query was wrong. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (error instanceof Prisma.PrismaClientInitializationError) return true;
  if (error instanceof DirectReadError)
    return isDriverFault(error.cause) || CONNECTION_CODE.test(codeOf(error.cause));
  // Prisma takes codes of errors that it does not know for its own.
  const isKnown = error instanceof Prisma.PrismaClientKnownRequestError;
  if (isKnown && (UNAVAILABLE_CODES.has(error.code) || CONNECTION_CODE.test(error.code))) return true;
  const { kind = '', originalCode = '' } = readDriverCause(error);
  return UNAVAILABLE_KINDS.has(kind) || UNAVAILABLE_SQLSTATE.test(originalCode) || isDriverFault(error);
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** What the driver itself throws: Prisma passes some of it on as it is, and the queue on Postgres all. */
const isDriverFault = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return UNAVAILABLE_SQLSTATE.test(codeOf(error));
  // One error for each address of a name.
  if (error instanceof AggregateError) return error.errors.some(isDriverFault);
  return CONNECTION_MESSAGES.has(error.message) || ('syscall' in error && SOCKET_CALLS.has(error.syscall));
};

/** SQLSTATE `foreign_key_violation` (PostgreSQL manual, appendix A). */
const FOREIGN_KEY_VIOLATION = '23503';

/**
 * Whether a row could not be written because its owner does not exist, as they were erased meanwhile. Every foreign key
 * of the schema refers to `User`.
 */
export const isOwnerMissing = (error: unknown): boolean =>
  isPrismaError(error, 'P2003') || readDriverCause(error).originalCode === FOREIGN_KEY_VIOLATION;

/** Prisma's code for a serialization failure or a deadlock, and how its driver adapter calls them in raw queries. */
const CONFLICT_CODE = 'P2034';
const CONFLICT_KIND = 'TransactionWriteConflict';

/** Whether a transaction failed only because another one was in its way; it may be tried again. */
export const isWriteConflict = (error: unknown): boolean =>
  isPrismaError(error, CONFLICT_CODE) || readDriverCause(error).kind === CONFLICT_KIND;

const isPrismaError = (error: unknown, code: string): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError && error.code === code;

/** The words of the server or the driver, without what Prisma puts around them. */
export const explainDatabaseError = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  return (/Message: `([\s\S]+)`/.exec(message)?.[1] ?? message).trim();
};
