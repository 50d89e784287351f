import { ProblemError } from '@mailsweep/service-kit';

/** Seconds after which a client may ask a database that was away again. */
const RETRY_AFTER_S = 5;

/** The problem that a missing database means to a client (docs/decisions/006). */
export const databaseUnavailable = (cause?: unknown): ProblemError =>
  new ProblemError(503, 'database_unavailable', 'The service can’t reach its database; try again shortly.', {
    headers: { 'retry-after': String(RETRY_AFTER_S) },
    cause,
  });
