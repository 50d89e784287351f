import { type MailboxFault, PROBLEM_KINDS } from '@mailsweep/contracts';
import { InvalidFieldError, MailboxBusyError, RefusedError } from '@mailsweep/core';
import { isDatabaseUnavailable, isOwnerMissing } from '@mailsweep/database';
import { InvalidPageTokenError, MailboxError, UnsupportedSearchError } from '@mailsweep/mail/mailbox';
import type { ProblemError } from '@mailsweep/service-kit';
import { createProblem, databaseUnavailable, invalidField } from './problems.ts';

/** The user was erased after the request had been authenticated. */
export const accountDeleted = (cause?: unknown): ProblemError =>
  createProblem('unauthorized', 'This account no longer exists.', { cause });

/** Seconds after which a client may try again when the error names no other wait. */
const DEFAULT_RETRY_AFTER_S = 5;

const retryLater = (retryAfterMs?: number) => ({
  'retry-after': String(retryAfterMs === undefined ? DEFAULT_RETRY_AFTER_S : Math.ceil(retryAfterMs / 1_000)),
});

/** The problems that our own errors mean to a client (docs/decisions/006); undefined for the unexpected. */
export const translateError = (error: unknown): ProblemError | undefined => {
  if (error instanceof InvalidPageTokenError) {
    return invalidField(
      'query',
      'pageToken',
      'is not a token of this list: its filters and scope have to be those of the page before',
      error,
    );
  }
  // In the query of a list, and in the body of a cleanup.
  if (error instanceof UnsupportedSearchError) {
    const { operator, known } = error;
    const message = known.includes(operator)
      ? `cannot use ${operator} with this value in this mailbox`
      : `cannot use ${operator} in this mailbox, which takes ${known.join(', ')}`;
    return invalidField('request', 'search', message, error);
  }
  if (isOwnerMissing(error) || (error instanceof MailboxError && isOwnerMissing(error.cause))) {
    return accountDeleted(error);
  }
  if (error instanceof InvalidFieldError) {
    return invalidField('body', error.path, error.message, error);
  }
  if (error instanceof MailboxBusyError) {
    return createProblem(
      'mailbox_busy',
      'Other changes of this mailbox are still running; nothing was done. Try again shortly.',
      { headers: retryLater(error.retryAfterMs), isExpected: true, cause: error },
    );
  }
  if (error instanceof RefusedError) {
    const { code, message, retryAfterMs } = error;
    const detail = `Nothing was done: ${message}.`;
    const headers = retryAfterMs === undefined ? {} : { headers: retryLater(retryAfterMs) };
    return createProblem(code, detail, { ...headers, cause: error });
  }
  // The mailbox asks the database for its access token.
  if (isDatabaseUnavailable(error) || (error instanceof MailboxError && isDatabaseUnavailable(error.cause))) {
    return databaseUnavailable(error);
  }
  return error instanceof MailboxError ? translateMailboxError(error) : undefined;
};

const DETAILS: Record<Exclude<MailboxFault, 'failed'>, string> = {
  reauth_required: 'The mailbox connection has ended: sign in again.',
  missing_scope: 'Access to Gmail was not granted: sign in again and tick the box for Gmail.',
  forbidden: 'The provider does not allow this.',
  changed_since: 'The email was changed in the mailbox meanwhile.',
  not_permitted: 'The rights of the user in a mailbox do not allow this.',
  too_many_mailboxes: 'The mail server keeps an email in so few mailboxes.',
  mail_service_disabled:
    'This Google account has no Gmail, or Gmail is turned off for it: use another account.',
  domain_policy: 'The administrator of this Google account does not allow this app: ask them to trust it.',
  no_inbox: 'The mail server shows no mailbox as the inbox.',
  not_found: 'The mailbox has no such thing.',
  label_gone: 'The label was deleted in the mailbox meanwhile; try again.',
  label_refused: 'The provider does not take the name of the label; choose another.',
  rate_limited: 'The provider asks us to slow down; try again shortly.',
  daily_limit_exceeded:
    'The daily quota at the provider is used up; it begins again at midnight Pacific time.',
  mailbox_unavailable: 'The provider can’t be reached; try again shortly.',
  gmail_api_disabled:
    'The operator has to enable the Gmail API in the Google project, which takes some minutes to work.',
  provider_configuration:
    'The provider does not accept this installation: the operator finds the reason in the log.',
};

const translateMailboxError = (error: MailboxError): ProblemError | undefined => {
  if (error.code === 'failed') {
    // What has a cause went wrong on our side.
    if (error.cause !== undefined) return undefined;
    return createProblem('mailbox_refused', `The mail provider refused this: ${error.message}.`, {
      cause: error,
    });
  }
  const isTemporary = PROBLEM_KINDS[error.code].status === 503;
  const headers = isTemporary ? { headers: retryLater(error.retryAfterMs) } : {};
  return createProblem(error.code, DETAILS[error.code], { ...headers, cause: error });
};
