import {
  DOMAIN_EVENTS,
  type DomainEventHead,
  DomainEventHeadSchema,
  type DomainEventType,
  SuggestionsGeneratedEventSchema,
  type WebhookBody,
} from '@mailsweep/contracts';
import { type Database, isUserErased, pingDatabase } from '@mailsweep/database';
import {
  DOMAIN_EVENTS_QUEUE,
  type JobOutcome,
  markWebhookDone,
  markWebhooksPending,
  type NewJob,
  PERSIST_QUEUE,
  PermanentFailureError,
  type ProcessJob,
  type QueueBackend,
  type QueuedJob,
  type QueueName,
  RetryLaterError,
  WEBHOOK_QUEUE,
} from '@mailsweep/event-bus';
import type { Logger, RetryDelay } from '@mailsweep/service-kit';
import type { SendWebhook } from '@mailsweep/service-kit/guarded-calls';
import { onBehalfOf } from '@mailsweep/service-kit/outgoing-calls';
import { inSpan, toMessageSpan } from '@mailsweep/service-kit/tracing';
import { z } from 'zod';
import { createMicroBatch } from './micro-batch.ts';
import { parseJob } from './parse-job.ts';
import { insertEvents } from './stored-event.repository.ts';

/** Subscribers of each event that can fail, each with a queue of its own; the debug log needs none. */
export const SUBSCRIPTIONS: Record<DomainEventType, readonly QueueName[]> = {
  [DOMAIN_EVENTS.SUGGESTIONS_GENERATED]: [PERSIST_QUEUE, WEBHOOK_QUEUE],
  [DOMAIN_EVENTS.SUGGESTION_CONFIRMED]: [PERSIST_QUEUE],
};

export interface DispatchDependencies {
  database: Database;
  queue: Pick<QueueBackend, 'addJobs'>;
  logger: Logger;
  hasWebhook: boolean;
}

export interface DispatchedEvent {
  eventId: string;
  data: DomainEventHead;
  /** Where its deliveries go on from. */
  traceParent: string | null;
}

/**
 * Dispatches a batch of events to their subscribers. The timeline stores the whole batch in one statement. Events
 * that it could not store, and events for other subscribers, become delivery jobs that retry by themselves. A
 * delivery holds the head of the event and has the event's id, so that dispatching an event again adds no second
 * delivery to one in flight, and storing it again stores nothing (docs/decisions/029).
 *
 * @throws when the database or the queue is unavailable
 */
const executeDispatchEvents = async (
  dependencies: DispatchDependencies,
  events: DispatchedEvent[],
): Promise<void> => {
  const [name, options] = toMessageSpan('process', DOMAIN_EVENTS_QUEUE, { count: events.length });
  const traceParents = events.map(({ traceParent }) => traceParent);
  await inSpan(name, { ...options, traceParents }, () => dispatch(dependencies, events));
};

const dispatch = async (dependencies: DispatchDependencies, events: DispatchedEvent[]): Promise<void> => {
  for (const event of events) logEvent(dependencies.logger, event);
  const deliveries: [QueueName, DispatchedEvent[]][] = [
    [PERSIST_QUEUE, await storeBatch(dependencies, subscribersOf(PERSIST_QUEUE, events))],
    [WEBHOOK_QUEUE, await markPending(dependencies, subscribersOf(WEBHOOK_QUEUE, events))],
  ];
  for (const [queueName, due] of deliveries) {
    if (due.length > 0) await dependencies.queue.addJobs(queueName, due.map(toDelivery));
  }
};

/** User, type and totals of generated suggestions, no content of emails. */
const logEvent = (logger: Logger, { eventId, data }: DispatchedEvent): void => {
  if (data.type !== DOMAIN_EVENTS.SUGGESTIONS_GENERATED) return;
  const { type, userId, generatedAt, summary } = data;
  const { totalSuggestions } = summary;
  logger.debug({ eventId, type, userId, generatedAt, totalSuggestions }, 'domain event');
};

const subscribersOf = (queueName: QueueName, events: DispatchedEvent[]): DispatchedEvent[] =>
  events.filter(({ data }) => SUBSCRIPTIONS[data.type].includes(queueName));

const toDelivery = ({ eventId, data, traceParent }: DispatchedEvent): NewJob => ({
  id: eventId,
  name: data.type,
  data,
  traceParent,
});

/** Stores the batch; returns the events that must be stored one by one, so that one bad event delays no other. */
const storeBatch = async ({ database, logger }: DispatchDependencies, events: DispatchedEvent[]) => {
  try {
    const stored = await storeEvents(database, events);
    return events.filter(({ eventId }) => !stored.has(eventId));
  } catch (error) {
    logger.warn(
      { err: error, count: events.length },
      'could not store a batch of events: storing each by itself',
    );
    return events;
  }
};

const markPending = async ({ database, hasWebhook }: DispatchDependencies, events: DispatchedEvent[]) => {
  if (!hasWebhook || events.length === 0) return [];
  const pending = await markWebhooksPending(
    database,
    events.map(({ eventId }) => eventId),
  );
  return events.filter(({ eventId }) => pending.has(eventId));
};

const UserIdSchema = z.uuid();
const isUuid = (text: string): boolean => UserIdSchema.safeParse(text).success;

/** The head of an event; the timeline stores its type, userId and summary. */
const PersistDataSchema = DomainEventHeadSchema.refine((head) => isUuid(head.userId), {
  path: ['userId'],
});

/**
 * Stores events in the timeline.
 *
 * @returns the ids of the events that are now stored; an event whose user id is not a UUID is not
 */
const storeEvents = async (
  database: Database,
  events: { eventId: string; data: DomainEventHead }[],
): Promise<Set<string>> => {
  const storable = events.filter(({ data }) => isUuid(data.userId));
  if (storable.length > 0) await insertEvents(database, storable);
  return new Set(storable.map(({ eventId }) => eventId));
};

const executeStoreEvent = async (dependencies: { database: Database }, job: QueuedJob): Promise<void> => {
  const event = parseJob(PersistDataSchema, job);
  try {
    await storeEvents(dependencies.database, [event]);
  } catch (error) {
    throw new Error('the event could not be stored', { cause: error });
  }
};

/** Events that one process takes at once: two full batches, one of them in flight. */
const CONCURRENCY = 200;
const DELIVERY_CONCURRENCY = 16;
/** Most events dispatched together, and how long a batch waits for more, in milliseconds. */
const BATCH_SIZE = 100;
const BATCH_LINGER_MS = 5;
/**
 * Longest wait of a batch for the previous one, in milliseconds: less than the head start of a job whose worker
 * crashed, so that another crash is attributed to that job alone.
 */
const LONGEST_BATCH_WAIT_MS = 250;

export interface ConsumerDependencies {
  database: Database;
  queue: QueueBackend;
  logger: Logger;
  /** Absent: there is no workflow service. */
  sendWebhook: SendWebhook | undefined;
  concurrency?: number;
  /** Deliveries to each subscriber in flight at once: a receiver may handle less load than the database. */
  deliveryConcurrency?: number;
  onOutcome: (queueName: QueueName, outcome: JobOutcome) => void;
  answerDoctor?: (question: unknown) => unknown;
  /** Instead of the queues' own policies. */
  retryDelayMs?: RetryDelay;
}

/** Shows each attempt at a delivery as a span on the trace of its event. Events themselves share the span of their batch. */
const inJobSpan =
  (queueName: QueueName, process: ProcessJob): ProcessJob =>
  (job) => {
    const [name, options] = toMessageSpan('process', queueName, job);
    return inSpan(name, { ...options, traceParents: [job.traceParent] }, () => process(job));
  };

const toProcessors = (dependencies: ConsumerDependencies): Partial<Record<QueueName, ProcessJob>> => {
  const { sendWebhook } = dependencies;
  const dispatch = { ...dependencies, hasWebhook: sendWebhook !== undefined };
  const dispatchBatch = createMicroBatch<DispatchedEvent>({
    // At most `concurrency` events can wait for a batch.
    maxSize: Math.min(BATCH_SIZE, dependencies.concurrency ?? CONCURRENCY),
    lingerMs: BATCH_LINGER_MS,
    longestWaitMs: LONGEST_BATCH_WAIT_MS,
    run: (events) => executeDispatchEvents(dispatch, events),
  });
  return {
    [DOMAIN_EVENTS_QUEUE]: async (job) =>
      dispatchBatch.add({ ...parseJob(DomainEventHeadSchema, job), traceParent: job.traceParent }),
    [PERSIST_QUEUE]: inJobSpan(PERSIST_QUEUE, (job) => executeStoreEvent(dependencies, job)),
    ...(sendWebhook && {
      [WEBHOOK_QUEUE]: inJobSpan(WEBHOOK_QUEUE, (job) =>
        executeSendWebhook({ ...dependencies, sendWebhook }, job),
      ),
    }),
  };
};

/**
 * Starts taking jobs from all queues.
 *
 * @returns close() takes no further job, lets jobs in flight finish within the deadline in milliseconds, and resolves
 *   to whether they did
 */
export const startConsumers = (
  dependencies: ConsumerDependencies,
): { close(deadlineMs: number): Promise<boolean> } => {
  const { queue, onOutcome, retryDelayMs } = dependencies;
  const { concurrency = CONCURRENCY, deliveryConcurrency = DELIVERY_CONCURRENCY } = dependencies;
  const workers = Object.entries(toProcessors(dependencies)).map(([name, process]) => {
    const queueName = name as QueueName;
    return queue.startWorker(queueName, process, {
      concurrency: queueName === DOMAIN_EVENTS_QUEUE ? concurrency : deliveryConcurrency,
      onOutcome: (outcome) => onOutcome(queueName, outcome),
      answerDoctor: dependencies.answerDoctor,
      ...(retryDelayMs && { retryDelayMs }),
    });
  });
  return {
    async close(deadlineMs) {
      const finished = await Promise.all(workers.map((worker) => worker.close(deadlineMs)));
      return finished.every(Boolean);
    },
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
const executeSendWebhook = async (dependencies: SendWebhookDependencies, job: QueuedJob): Promise<void> => {
  const { database, sendWebhook, logger } = dependencies;
  const { eventId, data } = parseJob(WebhookDataSchema, job);
  // Skip erased users.
  if (await isUserErased(database, data.userId)) return;
  // A call that cannot be noted would be repeated for as long as the database takes no writes.
  await pingDatabase(database);
  const content: WebhookBody = {
    type: data.type,
    timestamp: data.generatedAt,
    data: { userId: data.userId, summary: data.summary },
  };
  const result = await onBehalfOf(data.userId, () => sendWebhook(eventId, content));
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
