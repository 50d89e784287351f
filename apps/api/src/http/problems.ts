import { PROBLEM_KINDS, type ProblemCode } from '@mailsweep/contracts';
import { ProblemError, type ProblemOptions, toFieldErrors, withDeadline } from '@mailsweep/service-kit';
import { z } from 'zod';

export const createProblem = (code: ProblemCode, detail: string, options?: ProblemOptions): ProblemError =>
  new ProblemError(PROBLEM_KINDS[code].status, code, detail, options);

/**
 * What is not valid in a request.
 *
 * @param place - `body`, `query` or `path`
 * @param path - of the field
 * @param message - what is wrong with it, going on from its name
 */
export const invalidField = (place: string, path: string, message: string, cause?: unknown): ProblemError =>
  createProblem('validation_failed', `The ${place} is not valid: ${path} ${message}.`, {
    fieldErrors: [{ path, message }],
    cause,
  });

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

/** For a part of a request that a route does not have: refuses what would be ignored. */
export const NothingSchema = z.strictObject({});

/**
 * Parses a part of a request.
 *
 * @param place - `body`, `query` or `path`
 * @throws ProblemError that names each field that is not valid
 */
export const parseInput = <T extends z.ZodType>(schema: T, value: unknown, place: string): z.output<T> => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const fieldErrors = toFieldErrors(result.error);
  const detail = `The ${place} is not valid: ${fieldErrors.map(({ path, message }) => `${path || place} ${message}`).join('; ')}`;
  throw createProblem('validation_failed', detail.slice(0, 1_000), {
    fieldErrors: fieldErrors.slice(0, 100),
  });
};
