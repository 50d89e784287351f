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
import type { CallWebhook } from '../webhook/call-webhook.ts';
import { WebhookCallError } from '../webhook/post-webhook.ts';

/** The head of the one event that has a webhook. */
const WebhookDataSchema = SuggestionsGeneratedEventSchema.omit({ suggestions: true });

export interface SendWebhookDependencies {
  database: Database;
  callWebhook: CallWebhook;
  logger: Logger;
}

/**
 * Calls the workflow service about generated suggestions. Delivered at least once: a crash between the
 * response and its record repeats the call under the same `webhook-id`, by which the receiver recognises it.
 *
 * @throws {PermanentFailureError} when the service responds with 410
 * @throws {RetryLaterError} when the response says when to retry
 * @throws {WebhookCallError} for any other error, redirects included
 */
export const executeSendWebhook = async (
  dependencies: SendWebhookDependencies,
  job: QueuedJob,
): Promise<void> => {
  const { database, callWebhook, logger } = dependencies;
  const { eventId, data } = parseJob(WebhookDataSchema, job);
  // Skip erased users.
  if (await isUserErased(database, data.userId)) return;
  const content: WebhookBody = {
    type: data.type,
    timestamp: data.generatedAt,
    data: { userId: data.userId, summary: data.summary },
  };
  const result = await callWebhook(eventId, content);
  if (result.outcome === 'retry') {
    const error = new WebhookCallError(`status ${result.status}`);
    throw result.retryAfterMs === undefined ? error : new RetryLaterError(error.message, result.retryAfterMs);
  }
  await markWebhookDone(database, eventId);
  if (result.outcome === 'gone') {
    logger.warn({ eventId }, 'the workflow service responded with 410 Gone: the event is not sent again');
    throw new PermanentFailureError('the workflow service responded with 410 Gone');
  }
};
