import { PROBLEM_KINDS, type ProblemCode } from '@mailsweep/contracts';
import { ProblemError, type ProblemOptions } from '@mailsweep/service-kit';

/** A problem of the API, with the status of its kind. */
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
