import { isProblem, ProblemError, UnexpectedResponseError, UnreachableError } from '@mailsweep/client';

/** Part of the app's own code could not be had. */
export class PartLoadError extends Error {
  /** Whether the server has a newer build, which no longer has this part. */
  readonly isOutdated: boolean;

  constructor(isOutdated: boolean, cause: unknown) {
    super('Part of the app did not load.', { cause });
    this.name = 'PartLoadError';
    this.isOutdated = isOutdated;
  }
}

/** What is asked for is not there, or not there any more. */
export const isNotFound = (error: unknown): boolean => error instanceof ProblemError && error.status === 404;

/** The input is not valid: 400 or 422, as the operator chose. */
export const isInvalidInput = (error: unknown): boolean =>
  error instanceof ProblemError && (error.status === 400 || error.status === 422);

/** Codes of the problems that say: the user has to grant access to the mailbox again. */
const REAUTH_CODES = ['reauth_required', 'missing_scope'];
/** Code of the problem that says: this needs a more recent sign-in; the session itself goes on. */
const RECENT_SIGN_IN_REQUIRED_CODE = 'recent_sign_in_required';

/** Whether the link to the provider has to be renewed. */
export const isReauthRequired = (error: unknown): boolean => isProblem(error, ...REAUTH_CODES);

/** Whether the request succeeds only shortly after a sign-in, and the last one is too old. */
export const isRecentSignInRequired = (error: unknown): boolean =>
  isProblem(error, RECENT_SIGN_IN_REQUIRED_CODE);

/** Whether the session has ended, so that only signing in helps. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof ProblemError &&
  error.status === 401 &&
  !isReauthRequired(error) &&
  !isRecentSignInRequired(error);

/**
 * Whether the same request may succeed if it is simply sent again. A problem document is not: the API has already
 * retried as often as possible; the user sees the error instead of waiting.
 */
export const isTransient = (error: unknown): boolean =>
  error instanceof UnreachableError || (error instanceof UnexpectedResponseError && error.status >= 500);
