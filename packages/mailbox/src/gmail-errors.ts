import type { FailureReason } from '@mailsweep/contracts';
import { GoogleErrorSchema } from './gmail-schemas.ts';
import { ANSWER_TOO_LARGE, type HttpAnswer, type HttpExchangeError } from './http-exchange.ts';
import { MailboxError } from './mailbox.ts';
import { parseJson } from './parse-json.ts';
import { parseRetryAfterMs } from './retry.ts';

/** Gmail itself does not take what was asked, for a reason without a code of its own. Another attempt won’t help. */
export class GmailRefusal extends MailboxError {
  constructor(message: string) {
    super('failed', message);
  }
}

/** Why one attempt failed, and what may help. */
export interface GmailFault {
  code: FailureReason;
  message: string;
  remedy: 'none' | 'renew_token' | 'retry';
  /** How long Gmail asks us to wait, if it says. */
  retryAfterMs?: number | undefined;
}

/** Reasons of a 403 that speak of quota, not of rights (Gmail API, "Resolve errors"); spelt without `_`. */
const QUOTA_REASONS = new Set(['ratelimitexceeded', 'userratelimitexceeded', 'quotaexceeded']);

interface Refusal {
  reasons: string[];
  message: string;
}

const readRefusal = (text: string): Refusal => {
  const { error } = GoogleErrorSchema.safeParse(parseJson(text)).data ?? {};
  const reasons = [...(error?.errors ?? []), ...(error?.details ?? [])].map(({ reason }) => reason ?? '');
  return { reasons, message: error?.message ?? '' };
};

const speaksOfQuota = ({ reasons }: Refusal): boolean =>
  reasons.some((reason) => QUOTA_REASONS.has(reason.replaceAll('_', '').toLowerCase()));

const classify = (status: number, refusal: Refusal): Pick<GmailFault, 'code' | 'remedy'> => {
  if (status === 401) return { code: 'reauth_required', remedy: 'renew_token' };
  if (status === 429 || (status === 403 && speaksOfQuota(refusal))) {
    return { code: 'rate_limited', remedy: 'retry' };
  }
  if (status === 403) return { code: 'forbidden', remedy: 'none' };
  // Gmail answers so to a message id that is not even well-formed.
  const isUnknownId = status === 400 && /invalid id value/i.test(refusal.message);
  if (status === 404 || isUnknownId) return { code: 'not_found', remedy: 'none' };
  if (status >= 500) return { code: 'mailbox_unavailable', remedy: 'retry' };
  return { code: 'failed', remedy: 'none' };
};

/** Gmail names the moment in words, and leaves the header out ("User-rate limit exceeded. Retry after 2026-…"). */
const readRetryMoment = (message: string, nowMs: number): number | undefined => {
  const [, moment] = /retry after (\d{4}-\d\d-\d\dT[\d:.]+Z)/i.exec(message) ?? [];
  const atMs = Date.parse(moment ?? '');
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
};

/**
 * Says what an answer outside 2xx means. The message names the status alone: a refusal may quote mail.
 *
 * @param nowMs - the present, against which a Retry-After date is read
 */
export const toRefusalFault = (answer: HttpAnswer, nowMs: number): GmailFault => {
  const refusal = readRefusal(answer.text);
  return {
    ...classify(answer.status, refusal),
    message: `Gmail answered ${answer.status}`,
    retryAfterMs: parseRetryAfterMs(answer.retryAfter, nowMs) ?? readRetryMoment(refusal.message, nowMs),
  };
};

/** Says what it means that no answer came. Another attempt may bring one, unless it was too large. */
export const toExchangeFault = (error: HttpExchangeError): GmailFault => ({
  code: 'mailbox_unavailable',
  message: `Gmail gave no complete answer (${error.code})`,
  remedy: error.code === ANSWER_TOO_LARGE ? 'none' : 'retry',
});
