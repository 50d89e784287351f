import { z } from 'zod';
import { NotificationDetailSchema } from '../account/push.ts';
import { TimestampSchema } from '../values/scalars.ts';
import { DOMAIN_EVENTS, SuggestionsGeneratedSummarySchema } from './domain-events.ts';

/**
 * Body of the webhook call to the workflow service, in the Standard Webhooks form. The headers
 * `webhook-id` (the event's id, the same on every retry), `webhook-timestamp` (Unix seconds) and,
 * when a signing secret is set, `webhook-signature` go with it.
 */
export const WebhookBodySchema = z
  .object({
    type: z.literal(DOMAIN_EVENTS.SUGGESTIONS_GENERATED),
    timestamp: TimestampSchema,
    data: z.object({ userId: z.string(), summary: SuggestionsGeneratedSummarySchema }),
  })
  .meta({ id: 'WebhookBody' });
export type WebhookBody = z.infer<typeof WebhookBodySchema>;

/**
 * Body of the webhook call about a notification, if the operator forwards them: same address, same headers, with the
 * notification's `webhook-id`.
 */
export const NotificationWebhookBodySchema = z
  .object({
    type: z.enum(['notification.alert', 'notification.digest', 'notification.attention']),
    timestamp: TimestampSchema,
    data: z.object({
      userId: z.string(),
      path: z.string().meta({ description: 'The screen of the web app that it is about.' }),
      detail: NotificationDetailSchema,
    }),
  })
  .meta({ id: 'NotificationWebhookBody' });
export type NotificationWebhookBody = z.infer<typeof NotificationWebhookBodySchema>;
