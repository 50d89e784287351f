import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { ProblemError, UnexpectedResponseError, UnreachableError } from '@mailsweep/client';
import type { MailboxFault } from '@mailsweep/contracts';
import { PartLoadError } from './error-kinds.ts';

/** What happened and what to do about it, in words for the user. */
export interface ErrorDescription {
  title: string;
  advice: string;
  /** Helps the operator find the request in the log. */
  requestId?: string;
}

/** Titles of errors that a retry does not resolve; the API's detail says what does. */
const SETUP_TITLES: Partial<Record<string, MessageDescriptor>> = {
  daily_limit_exceeded: msg`The daily quota at Google is used up`,
  mail_service_disabled: msg`This account has no Gmail`,
  domain_policy: msg`Your administrator does not allow Mailsweep`,
  gmail_api_disabled: msg`The Gmail API is not enabled`,
  provider_configuration: msg`Your mail provider does not accept this installation`,
} satisfies Partial<Record<MailboxFault, MessageDescriptor>>;

const describeProblem = (error: ProblemError): ErrorDescription => {
  const { requestId } = error.problem;
  if (error.status === 429) {
    return { title: t`Too many requests at once`, advice: t`Wait a few seconds, then try again.`, requestId };
  }
  if (error.status === 400 || error.status === 422) {
    return { title: t`The service refused this request`, advice: error.problem.detail, requestId };
  }
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

/** Puts any error of the client into words. */
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

/** The title of an error as the end of a sentence: `Not undone: no connection to mailsweep`. */
export const toClause = (title: string): string => (i18n.locale === 'en' ? title.toLowerCase() : title);
