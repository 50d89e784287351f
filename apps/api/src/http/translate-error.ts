import { isDatabaseUnavailable } from '@mailsweep/database';
import { InvalidPageTokenError, MailboxError } from '@mailsweep/mailbox';
import { ProblemError } from '@mailsweep/service-kit';
import { databaseUnavailable } from './database-unavailable.ts';

/** Seconds after which a client may try again when nobody told us better. */
const DEFAULT_RETRY_AFTER_S = 5;

const retryLater = (retryAfterMs?: number) => ({
  'retry-after': String(retryAfterMs === undefined ? DEFAULT_RETRY_AFTER_S : Math.ceil(retryAfterMs / 1_000)),
});

/** The problems that our own errors mean to a client (docs/decisions/006); undefined for the unexpected. */
export const translateError = (error: unknown): ProblemError | undefined => {
  if (error instanceof InvalidPageTokenError) {
    return new ProblemError(400, 'validation_failed', 'The query is not valid: pageToken is not known.', {
      faults: [{ path: 'pageToken', message: 'is not a token of this mailbox' }],
      cause: error,
    });
  }
  // The mailbox asks the database for its access token.
  if (isDatabaseUnavailable(error) || (error instanceof MailboxError && isDatabaseUnavailable(error.cause))) {
    return databaseUnavailable(error);
  }
  return error instanceof MailboxError ? translateMailboxError(error) : undefined;
};

const translateMailboxError = (error: MailboxError): ProblemError | undefined => {
  switch (error.code) {
    case 'reauth_required':
      return new ProblemError(401, 'reauth_required', 'The mailbox connection has ended: sign in again.', {
        cause: error,
      });
    case 'forbidden':
      return new ProblemError(403, 'forbidden', 'The mail provider does not allow this.', { cause: error });
    case 'not_found':
      return new ProblemError(404, 'not_found', 'The mailbox has no such thing.', { cause: error });
    case 'rate_limited':
      return new ProblemError(
        503,
        'rate_limited',
        'The mail provider asks us to slow down; try again shortly.',
        {
          headers: retryLater(error.retryAfterMs),
          cause: error,
        },
      );
    case 'mailbox_unavailable':
      return new ProblemError(
        503,
        'mailbox_unavailable',
        'The mail provider can’t be reached; try again shortly.',
        {
          headers: retryLater(error.retryAfterMs),
          cause: error,
        },
      );
    case 'failed':
      return undefined;
  }
};
