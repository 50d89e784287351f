import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { isProblem, ProblemError, UnexpectedResponseError, UnreachableError } from '@mailsweep/client';
import type { ProblemCode } from '@mailsweep/contracts';

/** Part of the app's own code could not be loaded. */
export class PartLoadError extends Error {
  /** Whether a newer build replaced this part. */
  readonly isOutdated: boolean;

  constructor(isOutdated: boolean, cause: unknown) {
    super('Part of the app did not load.', { cause });
    this.name = 'PartLoadError';
    this.isOutdated = isOutdated;
  }
}

export const isNotFound = (error: unknown): boolean => error instanceof ProblemError && error.status === 404;

/** Ends something; that it is gone already is no error. */
export const unlessGone = async (request: Promise<unknown>): Promise<void> => {
  await request.catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
};

/** Whether the input is invalid: 400 or 422, as the operator chose. */
export const isInvalidInput = (error: unknown): boolean =>
  error instanceof ProblemError && (error.status === 400 || error.status === 422);

/** Whether the user must connect the mailbox again. */
export const isReauthRequired = (error: unknown): boolean =>
  isProblem(error, 'reauth_required', 'missing_scope');

/** Whether the last sign-in is too old for the request; the session itself continues. */
export const isRecentSignInRequired = (error: unknown): boolean =>
  isProblem(error, 'recent_sign_in_required');

/** Whether the mailbox that the address names is not one of the user's, or no longer. */
export const isMailboxUnreachable = (error: unknown): boolean =>
  isProblem(error, 'mailbox_not_reachable') ||
  (error instanceof ProblemError &&
    error.problem.errors?.some(({ path }) => path === 'Mailsweep-Mailbox') === true);

/** Whether the user lets Mailsweep only look. */
export const isReadOnlyAccess = (error: unknown): boolean => isProblem(error, 'read_only_access');

/** Whether the session has ended. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof ProblemError &&
  error.status === 401 &&
  !isReauthRequired(error) &&
  !isRecentSignInRequired(error);

/** Whether sending the request again may help. Not for problem documents: the API has already retried. */
export const isTransient = (error: unknown): boolean =>
  error instanceof UnreachableError || (error instanceof UnexpectedResponseError && error.status >= 500);

/** Whether the user made more requests in a minute than the API allows. */
export const isRateLimited = (error: unknown): boolean => isProblem(error, 'too_many_requests');

/** Up to here a wait is “a few seconds”. Unit: seconds. */
const A_FEW_S = 5;

/** Whether a request was refused for the moment only: a screen has many requests in flight on a slow machine. */
export const isSoonOver = (error: unknown): boolean =>
  error instanceof ProblemError && error.status === 429 && (error.retryAfterSeconds ?? 0) <= A_FEW_S;

export interface ErrorDescription {
  title: string;
  advice: string;
  /** Lets the operator find the request in the log. */
  requestId?: string;
}

/** Titles of errors that retrying does not resolve; the API's detail says what does. */
const SETUP_TITLES: Partial<Record<string, MessageDescriptor>> = {
  daily_limit_exceeded: msg`The daily quota at Google is used up`,
  mail_service_disabled: msg`This account has no Gmail`,
  no_inbox: msg`Your mailbox has no inbox`,
  mailbox_refused: msg`Your mail provider refused this`,
  domain_policy: msg`Your administrator does not allow Mailsweep`,
  gmail_api_disabled: msg`The Gmail API is not enabled`,
  provider_configuration: msg`Your mail provider does not accept this installation`,
} satisfies Partial<Record<ProblemCode, MessageDescriptor>>;

const describeProblem = (error: ProblemError): ErrorDescription => {
  const { requestId } = error.problem;
  if (isMailboxUnreachable(error))
    return {
      title: t`This mailbox is not among yours`,
      advice: t`The link may be mistyped, or the mailbox was taken out.`,
    };
  if (error.status === 429) {
    const seconds = error.retryAfterSeconds ?? 0;
    return {
      title: error.code === 'too_many_scans' ? t`Too soon for another scan` : t`Too many requests at once`,
      advice:
        seconds > A_FEW_S
          ? t`Wait ${seconds} seconds, then try again.`
          : t`Wait a few seconds, then try again.`,
      requestId,
    };
  }
  if (error.status === 400 || error.status === 422) {
    return { title: t`The service refused this request`, advice: error.problem.detail, requestId };
  }
  if (isReadOnlyAccess(error)) return { title: t`Mailsweep only looks`, advice: t`Allow changes first.` };
  const setUp = SETUP_TITLES[error.code];
  if (setUp !== undefined) return { title: i18n._(setUp), advice: error.problem.detail, requestId };
  if (error.status >= 500) {
    return {
      title: t`The email service is having trouble`,
      advice: t`Nothing was lost. Try again in a moment.`,
      requestId,
    };
  }
  return { title: error.problem.title, advice: error.problem.detail, requestId };
};

/** Describes any error of the client. */
export const describeError = (error: unknown): ErrorDescription => {
  if (error instanceof ProblemError) return describeProblem(error);
  if (error instanceof UnreachableError) {
    return { title: t`No connection to Mailsweep`, advice: t`Check your network, then try again.` };
  }
  if (error instanceof UnexpectedResponseError) {
    return { title: t`Unexpected response`, advice: t`Reload the page; it may be out of date.` };
  }
  if (error instanceof PartLoadError) {
    return error.isOutdated
      ? { title: t`A new version is available`, advice: t`Reload the page to go on with it.` }
      : { title: t`Part of Mailsweep did not load`, advice: t`Check your network, then try again.` };
  }
  return { title: t`Something went wrong here`, advice: t`Try again, or reload the page.` };
};

/** The title as the end of a sentence: `Not undone: no connection to mailsweep`. */
export const toClause = (title: string): string => (i18n.locale === 'en' ? title.toLowerCase() : title);
