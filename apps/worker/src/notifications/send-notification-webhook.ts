import type { SendNotificationWebhook } from '@mailsweep/core';
import type { CallWebhook } from '../webhook/call-webhook.ts';
import { whenUnreachable } from './send-result.ts';

/** Prepares sending notifications to the workflow service, next to the domain events. */
export const createSendNotificationWebhook =
  (callWebhook: CallWebhook): SendNotificationWebhook =>
  async (id, content) => {
    try {
      const result = await callWebhook(id, content);
      return result.outcome === 'gone' ? { outcome: 'refused', status: 410 } : result;
    } catch (error) {
      return whenUnreachable(error);
    }
  };
