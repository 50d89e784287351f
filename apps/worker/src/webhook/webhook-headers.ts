import { Webhook } from 'standardwebhooks';

/** The headers of Standard Webhooks: one id for all attempts, the time of this one, a signature for each secret. */
export const toWebhookHeaders = (
  id: string,
  body: string,
  now: Date,
  secrets: readonly string[],
): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'mailsweep',
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
  ...(secrets.length > 0 && {
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  }),
});
