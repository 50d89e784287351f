import type { MailboxFault } from '@mailsweep/contracts';
import { InvalidFieldError, MailboxBusyError, RefusedError } from '@mailsweep/core';
import { isDatabaseUnavailable, isOwnerMissing } from '@mailsweep/database';
import { InvalidPageTokenError, MailboxError } from '@mailsweep/mailbox-sync';
import { ProblemError } from '@mailsweep/service-kit';
import { databaseUnavailable } from './database-unavailable.ts';

/** The problem that a request meets whose user was erased after it had been authenticated. */
export const accountDeleted = (cause?: unknown): ProblemError =>
  new ProblemError(401, 'unauthorized', 'This account no longer exists.', { cause });

/** Seconds after which a client may try again when the error names no other wait. */
const DEFAULT_RETRY_AFTER_S = 5;

const retryLater = (retryAfterMs?: number) => ({
  'retry-after': String(retryAfterMs === undefined ? DEFAULT_RETRY_AFTER_S : Math.ceil(retryAfterMs / 1_000)),
});

/** The problems that our own errors mean to a client (docs/decisions/006); undefined for the unexpected. */
export const translateError = (error: unknown): ProblemError | undefined => {
  if (error instanceof InvalidPageTokenError) {
    return new ProblemError(400, 'validation_failed', 'The query is not valid: pageToken is not known.', {
      fieldErrors: [{ path: 'pageToken', message: 'is not a token of this mailbox' }],
      cause: error,
    });
  }
  if (isOwnerMissing(error) || (error instanceof MailboxError && isOwnerMissing(error.cause))) {
    return accountDeleted(error);
  }
  if (error instanceof InvalidFieldError) {
    const { path, message } = error;
    return new ProblemError(400, 'validation_failed', `The body is not valid: ${path} ${message}.`, {
      fieldErrors: [{ path, message }],
      cause: error,
    });
  }
  if (error instanceof MailboxBusyError) {
    return new ProblemError(
      503,
      'mailbox_busy',
      'Other changes of this mailbox are still running; nothing was done. Try again shortly.',
      { headers: retryLater(error.retryAfterMs), isExpected: true, cause: error },
    );
  }
  if (error instanceof RefusedError) {
    const { code, message, retryAfterMs } = error;
    const detail = `Nothing was done: ${message}.`;
    return retryAfterMs === undefined
      ? new ProblemError(409, code, detail, { cause: error })
      : new ProblemError(429, code, detail, { headers: retryLater(retryAfterMs), cause: error });
  }
  // The mailbox asks the database for its access token.
  if (isDatabaseUnavailable(error) || (error instanceof MailboxError && isDatabaseUnavailable(error.cause))) {
    return databaseUnavailable(error);
  }
  return error instanceof MailboxError ? translateMailboxError(error) : undefined;
};

const PROBLEMS: Record<Exclude<MailboxFault, 'failed'>, { status: number; detail: string }> = {
  reauth_required: { status: 401, detail: 'The mailbox connection has ended: sign in again.' },
  missing_scope: {
    status: 401,
    detail: 'Access to Gmail was not granted: sign in again and tick the box for Gmail.',
  },
  forbidden: { status: 403, detail: 'The provider does not allow this.' },
  mail_service_disabled: {
    status: 403,
    detail: 'This Google account has no Gmail, or Gmail is turned off for it: use another account.',
  },
  domain_policy: {
    status: 403,
    detail: 'The administrator of this Google account does not allow this app: ask them to trust it.',
  },
  not_found: { status: 404, detail: 'The mailbox has no such thing.' },
  label_gone: { status: 409, detail: 'The label was deleted in the mailbox meanwhile; try again.' },
  rate_limited: { status: 503, detail: 'The provider asks us to slow down; try again shortly.' },
  daily_limit_exceeded: {
    status: 503,
    detail: 'The daily quota at the provider is used up; it begins again at midnight Pacific time.',
  },
  mailbox_unavailable: { status: 503, detail: 'The provider can’t be reached; try again shortly.' },
  gmail_api_disabled: {
    status: 503,
    detail:
      'The operator has to enable the Gmail API in the Google project, which takes some minutes to work.',
  },
  provider_configuration: {
    status: 503,
    detail: 'The provider does not accept this installation: the operator finds the reason in the log.',
  },
};

const translateMailboxError = (error: MailboxError): ProblemError | undefined => {
  if (error.code === 'failed') return undefined;
  const { status, detail } = PROBLEMS[error.code];
  const headers = status === 503 ? { headers: retryLater(error.retryAfterMs) } : {};
  return new ProblemError(status, error.code, detail, { ...headers, cause: error });
};
