import type { SendResult } from '@mailsweep/core';
import { parseRetryAfterMs } from '@mailsweep/service-kit/resilience';
import { GuardedCallError, type GuardedResponse } from '../webhook/guarded-post.ts';
import { WebhookCallError } from '../webhook/post-webhook.ts';

const TOO_MANY_REQUESTS = 429;
/** Nobody will be there again. */
const GONE_STATUSES = new Set([404, 410]);
/** Shortest delay that a receiver may ask for, in milliseconds. */
const SHORTEST_RETRY_AFTER_MS = 1_000;

/** What a response says about a message. */
export const toSendResult = ({ status, retryAfter }: GuardedResponse, now: Date): SendResult => {
  if (status >= 200 && status <= 299) return { outcome: 'accepted' };
  if (GONE_STATUSES.has(status)) return { outcome: 'gone' };
  if (status !== TOO_MANY_REQUESTS && status < 500) return { outcome: 'refused', status };
  return {
    outcome: 'retry',
    retryAfterMs: parseRetryAfterMs(retryAfter, now.getTime(), SHORTEST_RETRY_AFTER_MS),
  };
};

/**
 * What it means that there was no response: an address that may not be called will not be there again.
 *
 * @throws the error when it is none of a call
 */
export const whenUnreachable = (error: unknown): SendResult => {
  if (!(error instanceof GuardedCallError || error instanceof WebhookCallError)) throw error;
  return error.code === 'address_refused'
    ? { outcome: 'gone' }
    : { outcome: 'retry', retryAfterMs: undefined };
};
