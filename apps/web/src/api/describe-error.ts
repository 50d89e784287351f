import type { MailboxFault } from '@mailsweep/contracts';
import { PartLoadError, ProblemError, UnexpectedResponseError, UnreachableError } from './api-errors.ts';

/** What happened and what to do about it, in words for the user. */
export interface ErrorDescription {
  title: string;
  advice: string;
  /** Helps the operator find the request in the log. */
  requestId?: string;
}

/** Titles of errors that a retry does not resolve; the API's detail says what does. */
const SETUP_TITLES: Partial<Record<string, string>> = {
  daily_limit_exceeded: 'The daily quota at Google is used up',
  mail_service_disabled: 'This account has no Gmail',
  domain_policy: 'Your administrator does not allow Mailsweep',
  gmail_api_disabled: 'The Gmail API is not enabled',
  provider_configuration: 'Google does not accept this installation',
} satisfies Partial<Record<MailboxFault, string>>;

const describeProblem = (error: ProblemError): ErrorDescription => {
  const { requestId } = error.problem;
  if (error.status === 429) {
    return { title: 'Too many requests at once', advice: 'Wait a few seconds, then try again.', requestId };
  }
  if (error.status === 400 || error.status === 422) {
    return { title: 'The service refused this request', advice: error.problem.detail, requestId };
  }
  const setUp = SETUP_TITLES[error.code];
  if (setUp !== undefined) return { title: setUp, advice: error.problem.detail, requestId };
  if (error.status >= 500) {
    return {
      title: 'The email service is having trouble',
      advice: 'Nothing was lost. Try again in a moment.',
      requestId,
    };
  }
  return { title: error.problem.title, advice: error.problem.detail, requestId };
};

/** Puts any error of the client into words. */
export const describeError = (error: unknown): ErrorDescription => {
  if (error instanceof ProblemError) return describeProblem(error);
  if (error instanceof UnreachableError) {
    return { title: 'No connection to Mailsweep', advice: 'Check your network, then try again.' };
  }
  if (error instanceof UnexpectedResponseError) {
    return { title: 'Unexpected response', advice: 'Reload the page; it may be out of date.' };
  }
  if (error instanceof PartLoadError) {
    return error.isOutdated
      ? { title: 'A new version is available', advice: 'Reload the page to go on with it.' }
      : { title: 'Part of Mailsweep did not load', advice: 'Check your network, then try again.' };
  }
  return { title: 'Something went wrong here', advice: 'Try again, or reload the page.' };
};
