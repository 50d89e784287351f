import {
  type NotificationWebhookBody,
  SuggestionsGeneratedEventSchema,
  type WebhookBody,
} from '@mailsweep/contracts';
import { type Database, isUserErased } from '@mailsweep/database';
import {
  markWebhookDone,
  PermanentFailureError,
  type QueuedJob,
  RetryLaterError,
} from '@mailsweep/event-bus';
import type { Logger } from '@mailsweep/service-kit';
import {
  type AddressPolicy,
  createGuardedCall,
  GuardedCallError,
} from '@mailsweep/service-kit/guarded-calls';
import { Webhook } from 'standardwebhooks';
import { parseJob } from './parse-job.ts';

const GONE = 410;
/** Statuses whose Retry-After is followed. */
const BUSY_STATUSES = new Set([429, 503]);

/** What the workflow service made of a message; `refused`: it wants no more of it. */
export type WebhookResult =
  | { outcome: 'accepted' }
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
      const { status, retryAfterMs } = await post(url, {
        headers: toHeaders(id, body, signingSecrets),
        body,
      });
      if (status >= 200 && status <= 299) return { outcome: 'accepted' };
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

/** The head of the one event that has a webhook. */
const WebhookDataSchema = SuggestionsGeneratedEventSchema.omit({ suggestions: true });

interface SendWebhookDependencies {
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
