import { type ProblemError, withDeadline } from '@mailsweep/service-kit';
import { createProblem } from './create-problem.ts';

/** Seconds after which a client may ask a database that was away again. */
const RETRY_AFTER_S = 5;

/** The problem that a missing database means to a client (docs/decisions/006). */
export const databaseUnavailable = (cause?: unknown): ProblemError =>
  createProblem('database_unavailable', 'The service can’t reach its database; try again shortly.', {
    headers: { 'retry-after': String(RETRY_AFTER_S) },
    cause,
  });

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
