import type { NotificationWebhookBody, WebhookBody } from '@mailsweep/contracts';
import { Webhook } from 'standardwebhooks';
import type { PostWebhook } from './post-webhook.ts';
import { readRetryAfterMs } from './retry-after.ts';

const GONE = 410;
/** Statuses whose Retry-After is followed. */
const BUSY_STATUSES = new Set([429, 503]);

/** What the workflow service made of a message; `gone`: it wants no more of it. */
export type WebhookResult =
  | { outcome: 'accepted' | 'gone' }
  | { outcome: 'retry'; status: number; retryAfterMs: number | undefined };

/**
 * Sends a message to the workflow service: one id for all attempts, by which it recognises a repeated one.
 *
 * @throws {WebhookCallError} when there is no response or the address may not be called
 */
export type CallWebhook = (
  id: string,
  message: WebhookBody | NotificationWebhookBody,
) => Promise<WebhookResult>;

/** The headers of Standard Webhooks: the id, the time of this attempt, a signature for each secret. */
const toHeaders = (id: string, body: string, now: Date, secrets: readonly string[]) => ({
  'content-type': 'application/json',
  'user-agent': 'mailsweep',
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
  ...(secrets.length > 0 && {
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  }),
});

/**
 * Prepares calls to the workflow service, for domain events and for notifications.
 *
 * @param input.signingSecrets - each signs the call; none: the call is not signed
 */
export const createCallWebhook =
  (input: { post: PostWebhook; signingSecrets: readonly string[]; now: () => Date }): CallWebhook =>
  async (id, message) => {
    const { post, signingSecrets, now } = input;
    const body = JSON.stringify(message);
    const { status, retryAfter } = await post({ headers: toHeaders(id, body, now(), signingSecrets), body });
    if (status >= 200 && status <= 299) return { outcome: 'accepted' };
    if (status === GONE) return { outcome: 'gone' };
    const retryAfterMs = BUSY_STATUSES.has(status) ? readRetryAfterMs(retryAfter, now()) : undefined;
    return { outcome: 'retry', status, retryAfterMs };
  };
