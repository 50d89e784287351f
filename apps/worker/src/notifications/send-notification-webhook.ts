import type { SendNotificationWebhook } from '@mailsweep/core';
import type { PostWebhook } from '../webhook/post-webhook.ts';
import { toWebhookHeaders } from '../webhook/webhook-headers.ts';
import { toWebhookResult, whenUnreachable } from './send-result.ts';

/** Prepares sending notifications to the workflow service, next to the domain events. */
export const createSendNotificationWebhook =
  (
    { post, signingSecrets }: { post: PostWebhook; signingSecrets: readonly string[] },
    now: () => Date,
  ): SendNotificationWebhook =>
  async (id, content) => {
    const body = JSON.stringify(content);
    try {
      const response = await post({ headers: toWebhookHeaders(id, body, now(), signingSecrets), body });
      return toWebhookResult(response, now());
    } catch (error) {
      return whenUnreachable(error);
    }
  };
