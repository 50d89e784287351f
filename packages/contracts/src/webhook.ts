import { z } from 'zod';
import { DOMAIN_EVENTS, SuggestionsGeneratedSummarySchema } from './event-summary.ts';
import { TimestampSchema } from './scalars.ts';

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
