import type { MailboxFault } from '@mailsweep/contracts';
import { MailboxError } from '@mailsweep/mail/mailbox';
import {
  type HttpExchangeError,
  type HttpResponse,
  parseJson,
  RESPONSE_TOO_LARGE,
} from '@mailsweep/service-kit/http-client';
import { parseRetryAfterMs } from '@mailsweep/service-kit/resilience';
import { GoogleErrorSchema } from '../gmail-requests.ts';

/** Gmail itself does not take what was asked, for a reason without a code of its own. Another attempt won’t help. */
export class GmailRefusal extends MailboxError {
  constructor(message: string) {
    super('failed', message);
  }
}

export interface AttemptError {
  code: MailboxFault;
  message: string;
  /** `end_call`: nothing helps, and no other request of this mailbox can succeed. */
  remedy: 'none' | 'renew_token' | 'retry' | 'end_call';
  /** How long Gmail asks us to wait, in milliseconds, if it says or is known for it. */
  retryAfterMs?: number | undefined;
}

type Meaning = Pick<AttemptError, 'code' | 'remedy'>;

const QUOTA: Meaning = { code: 'rate_limited', remedy: 'retry' };
const MISSING_SCOPE: Meaning = { code: 'missing_scope', remedy: 'end_call' };
const API_DISABLED: Meaning = { code: 'gmail_api_disabled', remedy: 'end_call' };

/** What the reasons of a 403 mean (Gmail API, "Resolve errors"; Google Cloud, ErrorInfo), lower case without `_`. */
const FORBIDDEN_REASONS: ReadonlyMap<string, Meaning> = new Map([
  ['ratelimitexceeded', QUOTA],
  ['userratelimitexceeded', QUOTA],
  ['quotaexceeded', QUOTA],
  ['dailylimitexceeded', { code: 'daily_limit_exceeded', remedy: 'end_call' }],
  ['insufficientpermissions', MISSING_SCOPE],
  ['accesstokenscopeinsufficient', MISSING_SCOPE],
  ['accessnotconfigured', API_DISABLED],
  ['servicedisabled', API_DISABLED],
  ['domainpolicy', { code: 'domain_policy', remedy: 'end_call' }],
]);
/** How Gmail speaks of a user label that does not exist (any more); its ids begin with `Label_`. */
const UNKNOWN_LABEL = /labelId not found|invalid label(?: IDs)?: Label_/i;
const PRECONDITION_REASON = 'failedprecondition';
/** Google propagates a newly enabled API within minutes ("wait a few minutes", says the response). */
const API_ENABLING_MS = 60_000;

interface Refusal {
  reasons: string[];
  message: string;
}

const readRefusal = (text: string): Refusal => {
  const { error } = GoogleErrorSchema.safeParse(parseJson(text)).data ?? {};
  const reasons = [...(error?.errors ?? []), ...(error?.details ?? [])].map(({ reason }) => reason ?? '');
  return { reasons, message: error?.message ?? '' };
};

const classify = (status: number, { reasons, message }: Refusal): Meaning => {
  const known = reasons.map((reason) => reason.replaceAll('_', '').toLowerCase());
  if (status === 401) return { code: 'reauth_required', remedy: 'renew_token' };
  if (status === 429) return QUOTA;
  if (status === 403) {
    const [meaning] = known.flatMap((reason) => FORBIDDEN_REASONS.get(reason) ?? []);
    return meaning ?? { code: 'forbidden', remedy: 'none' };
  }
  // Gmail responds so to a message id that is not even well-formed.
  const isUnknownId = status === 400 && /invalid id value/i.test(message);
  if (status === 404 || isUnknownId) return { code: 'not_found', remedy: 'none' };
  if (status === 400 && UNKNOWN_LABEL.test(message)) return { code: 'label_gone', remedy: 'none' };
  if (status === 400 && known.includes(PRECONDITION_REASON)) {
    return /mail service not enabled/i.test(message)
      ? { code: 'mail_service_disabled', remedy: 'end_call' }
      : // It can pass (elie222/inbox-zero, apps/web/utils/gmail/retry.ts).
        { code: 'mailbox_unavailable', remedy: 'retry' };
  }
  if (status >= 500) return { code: 'mailbox_unavailable', remedy: 'retry' };
  return { code: 'failed', remedy: 'none' };
};

/** Daily quotas begin at midnight Pacific time (Google Cloud, "Quotas"); an hour off when the clocks change. */
const untilPacificMidnightMs = (nowMs: number): number => {
  const time = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/Los_Angeles', timeStyle: 'medium' });
  const [hours = 0, minutes = 0, seconds = 0] = time.format(nowMs).split(':').map(Number);
  return (24 * 3_600 - hours * 3_600 - minutes * 60 - seconds) * 1_000;
};

const defaultRetryAfterMs = (code: MailboxFault, nowMs: number): number | undefined => {
  if (code === 'daily_limit_exceeded') return untilPacificMidnightMs(nowMs);
  return code === 'gmail_api_disabled' ? API_ENABLING_MS : undefined;
};

/** Gmail names the moment in words, and leaves the header out ("User-rate limit exceeded. Retry after 2026-…"). */
const readRetryMoment = (message: string, nowMs: number): number | undefined => {
  const [, moment] = /retry after (\d{4}-\d\d-\d\dT[\d:.]+Z)/i.exec(message) ?? [];
  const atMs = Date.parse(moment ?? '');
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
};

/** Reasons are words of Google's; anything else is not for the log. */
const REASON_FORM = /^[A-Za-z][A-Za-z_]{1,59}$/;

const toMessage = (status: number, { reasons }: Refusal): string => {
  const named = new Set(reasons.filter((reason) => REASON_FORM.test(reason)));
  return `Gmail responded with ${status}${named.size > 0 ? ` (${[...named].join(', ')})` : ''}`;
};

/**
 * Says what a response outside 2xx means. The message names status and reasons alone: Gmail's own may quote mail.
 *
 * @param nowMs - the present, against which a Retry-After date is read
 */
export const toResponseError = (response: HttpResponse, nowMs: number): AttemptError => {
  const refusal = readRefusal(response.text);
  const meaning = classify(response.status, refusal);
  return {
    ...meaning,
    message: toMessage(response.status, refusal),
    retryAfterMs:
      parseRetryAfterMs(response.retryAfter, nowMs) ??
      readRetryMoment(refusal.message, nowMs) ??
      defaultRetryAfterMs(meaning.code, nowMs),
  };
};

/** What an error of a request that names nothing means: what is not found is the mailbox itself, and that may pass. */
export const withoutItem = (error: AttemptError): AttemptError =>
  error.code === 'not_found' ? { ...error, code: 'mailbox_unavailable', remedy: 'retry' } : error;

/** Says what a missing response means. Another attempt may bring one, unless it was too large. */
export const toExchangeError = (error: HttpExchangeError): AttemptError => ({
  code: 'mailbox_unavailable',
  message: `Gmail sent no complete response (${error.code})`,
  remedy: error.code === RESPONSE_TOO_LARGE ? 'none' : 'retry',
});
