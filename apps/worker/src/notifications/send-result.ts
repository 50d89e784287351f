import type { SendResult } from '@mailsweep/core';
import { GuardedCallError, type GuardedResponse } from '../webhook/guarded-post.ts';
import { WebhookCallError } from '../webhook/post-webhook.ts';
import { readRetryAfterMs } from '../webhook/retry-after.ts';

/** Wait: 429 (RFC 8030, 8.4), and 406 at Microsoft (web-push-libs/web-push-csharp#93). */
const THROTTLED_STATUSES = new Set([406, 429]);
/** Nobody will be there again. */
const GONE_STATUSES = new Set([404, 410]);

/** What a response of a push service says about a message. */
export const toPushResult = (response: GuardedResponse, now: Date): SendResult => {
  const { status } = response;
  if (status >= 200 && status <= 299) return { outcome: 'accepted' };
  if (GONE_STATUSES.has(status)) return { outcome: 'gone' };
  if (!THROTTLED_STATUSES.has(status) && status < 500) return { outcome: 'refused', status };
  return { outcome: 'retry', retryAfterMs: readRetryAfterMs(response.retryAfter, now) };
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
