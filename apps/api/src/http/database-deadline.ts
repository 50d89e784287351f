import { withDeadline } from '@mailsweep/service-kit';
import { databaseUnavailable } from './database-unavailable.ts';

/** Longest wait for a database that may be unreachable, in milliseconds. */
const DATABASE_DEADLINE_MS = 2_500;

/**
 * Waits for a short query no longer than a client should have to: a database behind a dead network neither
 * responds nor disconnects, and the driver alone would wait for much longer.
 *
 * @throws {ProblemError} 503 when time is up; whatever the query throws else
 */
export const withinDatabaseDeadline = <T>(query: Promise<T>): Promise<T> =>
  withDeadline(query, DATABASE_DEADLINE_MS, databaseUnavailable);
