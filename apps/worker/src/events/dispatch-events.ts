import {
  DOMAIN_EVENTS,
  type DomainEventHead,
  DomainEventHeadSchema,
  type DomainEventType,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import {
  DOMAIN_EVENTS_QUEUE,
  markWebhooksPending,
  type NewJob,
  PERSIST_QUEUE,
  type QueueBackend,
  type QueuedJob,
  type QueueName,
  WEBHOOK_QUEUE,
} from '@mailsweep/event-bus';
import type { Logger } from '@mailsweep/service-kit';
import { inSpan, toMessageSpan } from '@mailsweep/service-kit/tracing';
import { z } from 'zod';
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
export const executeDispatchEvents = async (
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

export const executeStoreEvent = async (
  dependencies: { database: Database },
  job: QueuedJob,
): Promise<void> => {
  const event = parseJob(PersistDataSchema, job);
  try {
    await storeEvents(dependencies.database, [event]);
  } catch (error) {
    throw new Error('the event could not be stored', { cause: error });
  }
};
