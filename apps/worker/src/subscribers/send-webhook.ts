import { SuggestionsGeneratedEventSchema, type WebhookBody } from '@mailsweep/contracts';
import { type Database, isUserErased } from '@mailsweep/database';
import { PermanentFailureError, type QueuedJob, RetryLaterError, settleWebhook } from '@mailsweep/event-bus';
import type { Logger } from '@mailsweep/service-kit';
import { parseRetryAfterMs } from '@mailsweep/service-kit/resilience';
import { Webhook } from 'standardwebhooks';
import { parseJob } from '../parse-job.ts';
import { type PostWebhook, type WebhookAnswer, WebhookCallError } from '../webhook/post-webhook.ts';

const GONE = 410;
/** Statuses with which a receiver may say when to come back. */
const BUSY_STATUSES = new Set([429, 503]);
/** Shortest delay that a receiver may ask for, in milliseconds. */
const SHORTEST_RETRY_AFTER_MS = 1_000;

/** The head of the one event that the workflow service is told of. */
const WebhookDataSchema = SuggestionsGeneratedEventSchema.omit({ suggestions: true });

export interface SendWebhookDependencies {
  database: Database;
  post: PostWebhook;
  /** Each signs the call; none: it is not signed. */
  signingSecrets: readonly string[];
  logger: Logger;
  now: () => Date;
}

const isSuccess = (status: number): boolean => status >= 200 && status <= 299;

/** The headers of Standard Webhooks: one id for all attempts, the time of this one, a signature for each secret. */
const toHeaders = (eventId: string, body: string, now: Date, secrets: readonly string[]) => ({
  'content-type': 'application/json',
  'user-agent': 'mailsweep',
  'webhook-id': eventId,
  'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
  ...(secrets.length > 0 && {
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(eventId, now, body)).join(' '),
  }),
});

const toFailure = (answer: WebhookAnswer, now: Date): Error => {
  const failure = new WebhookCallError(`status ${answer.status}`);
  const retryAfterMs = BUSY_STATUSES.has(answer.status)
    ? parseRetryAfterMs(answer.retryAfter, now.getTime(), SHORTEST_RETRY_AFTER_MS)
    : undefined;
  return retryAfterMs === undefined ? failure : new RetryLaterError(failure.message, retryAfterMs);
};

/**
 * Calls the workflow service about generated suggestions. Delivered at least once: a crash between its answer
 * and our note of it repeats the call under the same `webhook-id`, by which the receiver knows it.
 *
 * @throws {PermanentFailureError} when the service answers 410: it wants no more
 * @throws {RetryLaterError} when it says itself when to try again
 * @throws {WebhookCallError} for any other failure, redirects included
 */
export const executeSendWebhook = async (
  dependencies: SendWebhookDependencies,
  job: QueuedJob,
): Promise<void> => {
  const { database, post, signingSecrets, logger, now } = dependencies;
  const { eventId, data } = parseJob(WebhookDataSchema, job);
  // Nothing of a person who had everything erased leaves the house any more.
  if (await isUserErased(database, data.userId)) return;
  const content: WebhookBody = {
    type: data.type,
    timestamp: data.generatedAt,
    data: { userId: data.userId, summary: data.summary },
  };
  const body = JSON.stringify(content);
  const answer = await post({ headers: toHeaders(eventId, body, now(), signingSecrets), body });
  if (answer.status === GONE) {
    await settleWebhook(database, eventId);
    logger.warn({ eventId }, 'the workflow service answered 410 Gone: this event is not offered again');
    throw new PermanentFailureError('the workflow service answered 410 Gone');
  }
  if (!isSuccess(answer.status)) throw toFailure(answer, now());
  await settleWebhook(database, eventId);
};
