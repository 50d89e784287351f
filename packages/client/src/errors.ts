import type { ProblemCode as KnownCode, Problem } from './operations.ts';

/** A code of a problem document. Later versions have more. */
export type ProblemCode = KnownCode | (string & {});

/** The API responded with a problem document (RFC 9457). `code` is stable. */
export class ProblemError<Code extends string = string> extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;
  readonly code: Code;
  readonly status: number;
  /** From `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: Problem, retryAfterSeconds?: number) {
    super(problem.detail);
    this.problem = problem;
    this.code = problem.code as Code;
    this.status = problem.status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No response: offline, the API is down, a broken connection, or a time-out. `cause` tells which. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  readonly code = 'unreachable';

  constructor(cause: unknown) {
    super('The service could not be reached.', { cause });
  }
}

/** The response is not the API's: a proxy's, or another version's. */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError';
  readonly code = 'unexpected_response';
  readonly status: number;

  constructor(status: number, cause?: unknown) {
    super('The service sent a response that this client does not understand.', { cause });
    this.status = status;
  }
}

/** Whether the API responded with a problem of one of these codes, or of any without codes. */
export const isProblem = <const Code extends ProblemCode>(
  error: unknown,
  ...codes: Code[]
): error is ProblemError<Code> =>
  error instanceof ProblemError && (codes.length === 0 || codes.includes(error.code as Code));
