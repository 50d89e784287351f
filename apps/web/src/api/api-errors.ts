import type { Problem } from '@mailsweep/contracts';

/** The API answered with a problem document (RFC 9457). `code` is stable. */
export class ProblemError extends Error {
  readonly problem: Problem;
  readonly code: string;
  readonly status: number;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = 'ProblemError';
    this.problem = problem;
    this.code = problem.code;
    this.status = problem.status;
  }
}

/** No answer came: offline, the API is down, or the browser refused the request. */
export class UnreachableError extends Error {
  readonly code = 'unreachable';

  constructor(cause: unknown) {
    super('The service could not be reached.', { cause });
    this.name = 'UnreachableError';
  }
}

/** An answer came that the contract does not know: a proxy in between, or another version of the API. */
export class UnexpectedAnswerError extends Error {
  readonly code = 'unexpected_answer';
  readonly status: number;

  constructor(status: number, cause?: unknown) {
    super('The service gave an answer that this app does not understand.', { cause });
    this.name = 'UnexpectedAnswerError';
    this.status = status;
  }
}

/** Code of the problem that says: the mail provider wants the person to agree again. */
const REAUTH_REQUIRED_CODE = 'reauth_required';

/** Whether the session is gone, so that only signing in helps. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof ProblemError && error.status === 401 && error.code !== REAUTH_REQUIRED_CODE;

/** Whether the link to the mail provider has to be renewed. */
export const isReauthRequired = (error: unknown): boolean =>
  error instanceof ProblemError && error.code === REAUTH_REQUIRED_CODE;

/**
 * Whether the same request may succeed if it is simply sent again. A problem document is not: the API has already
 * tried again whatever may be tried, so that the person is told rather than kept waiting.
 */
export const isTransient = (error: unknown): boolean =>
  error instanceof UnreachableError || (error instanceof UnexpectedAnswerError && error.status >= 500);
