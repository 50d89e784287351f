import { SuggestionsGeneratedEventSchema, type WebhookBody } from '@mailsweep/contracts';
import { type Database, isUserErased } from '@mailsweep/database';
import {
  markWebhookDone,
  PermanentFailureError,
  type QueuedJob,
  RetryLaterError,
} from '@mailsweep/event-bus';
import type { Logger } from '@mailsweep/service-kit';
import { parseJob } from '../parse-job.ts';
import type { SendWebhook } from '../webhook/send-webhook.ts';

/** The head of the one event that has a webhook. */
const WebhookDataSchema = SuggestionsGeneratedEventSchema.omit({ suggestions: true });

export interface SendWebhookDependencies {
  database: Database;
  sendWebhook: SendWebhook;
  logger: Logger;
}

/**
 * Calls the workflow service about generated suggestions. Delivered at least once: a crash between the
 * response and its record repeats the call under the same `webhook-id`, by which the receiver recognises it.
 *
 * @throws {PermanentFailureError} when the service responds with 410
 * @throws {RetryLaterError} when the response says when to retry
 * @throws {Error} for any other response, redirects included, and when there is none
 */
export const executeSendWebhook = async (
  dependencies: SendWebhookDependencies,
  job: QueuedJob,
): Promise<void> => {
  const { database, sendWebhook, logger } = dependencies;
  const { eventId, data } = parseJob(WebhookDataSchema, job);
  // Skip erased users.
  if (await isUserErased(database, data.userId)) return;
  const content: WebhookBody = {
    type: data.type,
    timestamp: data.generatedAt,
    data: { userId: data.userId, summary: data.summary },
  };
  const result = await sendWebhook(eventId, content);
  if (result.outcome === 'retry') {
    const { reason, retryAfterMs } = result;
    const message = `the webhook call failed: ${reason}`;
    throw retryAfterMs === undefined ? new Error(message) : new RetryLaterError(message, retryAfterMs);
  }
  await markWebhookDone(database, eventId);
  if (result.outcome === 'refused') {
    logger.warn({ eventId }, 'the workflow service responded with 410 Gone: the event is not sent again');
    throw new PermanentFailureError('the workflow service responded with 410 Gone');
  }
};
