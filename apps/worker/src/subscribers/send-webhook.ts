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
import { type PostWebhook, WebhookCallError, type WebhookResponse } from '../webhook/post-webhook.ts';
import { readRetryAfterMs } from '../webhook/retry-after.ts';
import { toWebhookHeaders } from '../webhook/webhook-headers.ts';

const GONE = 410;
/** Statuses whose Retry-After is followed. */
const BUSY_STATUSES = new Set([429, 503]);

/** The head of the one event that has a webhook. */
const WebhookDataSchema = SuggestionsGeneratedEventSchema.omit({ suggestions: true });

export interface SendWebhookDependencies {
  database: Database;
  post: PostWebhook;
  /** Each signs the call; none: the call is not signed. */
  signingSecrets: readonly string[];
  logger: Logger;
  now: () => Date;
}

const isSuccess = (status: number): boolean => status >= 200 && status <= 299;

const toCallError = (response: WebhookResponse, now: Date): Error => {
  const error = new WebhookCallError(`status ${response.status}`);
  const retryAfterMs = BUSY_STATUSES.has(response.status)
    ? readRetryAfterMs(response.retryAfter, now)
    : undefined;
  return retryAfterMs === undefined ? error : new RetryLaterError(error.message, retryAfterMs);
};

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
  const { database, post, signingSecrets, logger, now } = dependencies;
  const { eventId, data } = parseJob(WebhookDataSchema, job);
  // Skip erased users.
  if (await isUserErased(database, data.userId)) return;
  const content: WebhookBody = {
    type: data.type,
    timestamp: data.generatedAt,
    data: { userId: data.userId, summary: data.summary },
  };
  const body = JSON.stringify(content);
  const response = await post({ headers: toWebhookHeaders(eventId, body, now(), signingSecrets), body });
  if (response.status === GONE) {
    await markWebhookDone(database, eventId);
    logger.warn({ eventId }, 'the workflow service responded with 410 Gone: the event is not sent again');
    throw new PermanentFailureError('the workflow service responded with 410 Gone');
  }
  if (!isSuccess(response.status)) throw toCallError(response, now());
  await markWebhookDone(database, eventId);
};
