import type { NotificationWebhookBody, WebhookBody } from '@mailsweep/contracts';
import { Webhook } from 'standardwebhooks';
import type { AddressPolicy } from './address-policy.ts';
import { createGuardedCall, GuardedCallError } from './guarded-call.ts';

const GONE = 410;
const BUSY_STATUSES = new Set([429, 503]);

/** What the workflow service made of a message; `refused`: it wants no more of it. */
export type WebhookResult =
  | { outcome: 'accepted'; contentType: string | undefined }
  | { outcome: 'refused'; status: number }
  /** The reason does not name the address, which is often secret. */
  | { outcome: 'retry'; reason: string; retryAfterMs: number | undefined };

/** A message that stands for nothing that happened; receivers ignore types that they do not know. */
export interface TestWebhookBody {
  type: 'mailsweep.test';
  /** ISO 8601. */
  timestamp: string;
  data: Record<string, never>;
}

/** Sends a message to the workflow service: one id for all attempts, by which it recognises a repeated one. */
export type SendWebhook = (
  id: string,
  message: WebhookBody | NotificationWebhookBody | TestWebhookBody,
) => Promise<WebhookResult>;

/** The headers of Standard Webhooks: the id, the time of this attempt, a signature for each secret. */
const toHeaders = (id: string, body: string, secrets: readonly string[]) => {
  const now = new Date();
  return {
    'content-type': 'application/json',
    'user-agent': 'mailsweep',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    ...(secrets.length > 0 && {
      'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
    }),
  };
};

/**
 * Prepares calls to the workflow service, for domain events and for notifications.
 *
 * @param options.signingSecrets - each signs the call; none: the call is not signed
 */
export const createSendWebhook = (options: {
  url: string;
  signingSecrets: readonly string[];
  policy: AddressPolicy;
  timeoutMs?: number;
}): SendWebhook => {
  const { url, signingSecrets, ...guard } = options;
  const post = createGuardedCall({ ...guard, peer: 'webhook', isOperators: true, keepsConnections: true });
  return async (id, message) => {
    const body = JSON.stringify(message);
    try {
      const { status, retryAfterMs, contentType } = await post(url, {
        headers: toHeaders(id, body, signingSecrets),
        body,
      });
      if (status >= 200 && status <= 299) return { outcome: 'accepted', contentType };
      if (status === GONE) return { outcome: 'refused', status };
      return {
        outcome: 'retry',
        reason: `status ${status}`,
        retryAfterMs: BUSY_STATUSES.has(status) ? retryAfterMs : undefined,
      };
    } catch (error) {
      if (!(error instanceof GuardedCallError)) throw error;
      return { outcome: 'retry', reason: error.code, retryAfterMs: undefined };
    }
  };
};
