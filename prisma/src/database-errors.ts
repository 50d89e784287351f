import pg from 'pg';
import { z } from 'zod';
import { Prisma } from '../generated/client.ts';
import { DirectReadError } from './prepared-statements.ts';

/**
 * Prisma's codes for a database that can't be reached, refuses us, is out of connections or too slow (Prisma
 * error reference).
 */
const UNAVAILABLE_CODES = new Set([
  ...['P1000', 'P1001', 'P1002', 'P1003', 'P1008', 'P1010', 'P1011', 'P1017'],
  ...['P2024', 'P2028', 'P2037'],
]);

/** The same, as the driver adapter calls them; all that raw queries tell. */
const UNAVAILABLE_KINDS = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TlsConnectionError',
  'TooManyConnections',
  'AuthenticationFailed',
  'DatabaseAccessDenied',
  'DatabaseDoesNotExist',
]);

/**
 * Conditions of the server rather than of the query (PostgreSQL manual, appendix A): connection exceptions,
 * insufficient resources, a statement cut short, a server going down or coming up.
 */
const UNAVAILABLE_SQLSTATE = /^(08\w{3}|53\w{3}|57014|57P0[1-5])$/;

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

/** Conditions that Prisma has codes of its own for: a refused sign-in, a database that is not there. */
const REFUSED_SQLSTATE = /^(28\w{3}|3D000)$/;

/** Error codes of sockets and TLS in Node. */
const CONNECTION_CODE = /^E[A-Z]+$|^ERR_(TLS|SSL)_|CERT/;

const DriverAdapterMetaSchema = z.object({
  driverAdapterError: z.object({
    cause: z.object({ kind: z.string().optional(), originalCode: z.string().optional() }),
  }),
});

/** What the driver adapter says of an error: its kind, and Postgres' own code. */
const readDriverCause = (meta: unknown) =>
  DriverAdapterMetaSchema.safeParse(meta).data?.driverAdapterError.cause ?? {};

/** Whether an error means that the database is out of reach, rather than that the query was wrong. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (error instanceof Prisma.PrismaClientInitializationError) return true;
  if (error instanceof Prisma.PrismaClientKnownRequestError) {
    return UNAVAILABLE_CODES.has(error.code) || isDriverUnavailable(error.meta);
  }
  if (error instanceof DirectReadError) return isDriverFault(error.cause);
  return error instanceof Error && CONNECTION_MESSAGES.has(error.message);
};

/** What the driver itself throws. */
const isDriverFault = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (error instanceof pg.DatabaseError)
    return UNAVAILABLE_SQLSTATE.test(code) || REFUSED_SQLSTATE.test(code);
  return CONNECTION_MESSAGES.has(error.message) || CONNECTION_CODE.test(code);
};

const isDriverUnavailable = (meta: unknown): boolean => {
  const { kind = '', originalCode = '' } = readDriverCause(meta);
  return UNAVAILABLE_KINDS.has(kind) || UNAVAILABLE_SQLSTATE.test(originalCode);
};

/** SQLSTATE `foreign_key_violation` (PostgreSQL manual, appendix A). */
const FOREIGN_KEY_VIOLATION = '23503';

/**
 * Whether a row could not be written because its owner does not exist, as they were erased meanwhile. Every foreign key
 * of the schema refers to `User`.
 */
export const isOwnerMissing = (error: unknown): boolean => {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return false;
  return error.code === 'P2003' || readDriverCause(error.meta).originalCode === FOREIGN_KEY_VIOLATION;
};

/** Prisma's code for a serialization failure or a deadlock, and how its driver adapter calls them in raw queries. */
const CONFLICT_CODE = 'P2034';
const CONFLICT_KIND = 'TransactionWriteConflict';

/** Whether a transaction failed only because another one was in its way; it may be tried again. */
export const isWriteConflict = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError &&
  (error.code === CONFLICT_CODE || readDriverCause(error.meta).kind === CONFLICT_KIND);

/** The words of the server or the driver, without what Prisma puts around them. */
export const explainDatabaseError = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  return (/Message: `([\s\S]+)`/.exec(message)?.[1] ?? message).trim();
};
