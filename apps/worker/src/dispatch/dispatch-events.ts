import type { DomainEventHead } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import {
  LOG_QUEUE,
  type NewJob,
  oweWebhooks,
  PERSIST_QUEUE,
  type QueueBackend,
  type QueueName,
  WEBHOOK_QUEUE,
} from '@mailsweep/event-bus';
import type { Logger } from '@mailsweep/service-kit';
import { storeEvents } from '../subscribers/persist-notification-event.ts';
import { SUBSCRIPTIONS } from './subscriptions.ts';

export interface DispatchDependencies {
  database: Database;
  queue: Pick<QueueBackend, 'addJobs'>;
  logger: Logger;
  /** Whether there is a workflow service to call. */
  hasWebhook: boolean;
}

/** An event, parsed. */
export interface DispatchedEvent {
  eventId: string;
  data: DomainEventHead;
}

/**
 * Hands a batch of events to their subscribers. The timeline takes the whole batch in one statement, here and
 * now; what it does not take, and whatever is for others, becomes a delivery of its own, that retries alone.
 * Deliveries carry the head of the event; their id is the event's, so that dispatching it again adds no second
 * one to those still under way, and storing it again stores nothing (docs/decisions/029).
 *
 * @throws when the database or the queue is out of reach
 */
export const executeDispatchEvents = async (
  dependencies: DispatchDependencies,
  events: DispatchedEvent[],
): Promise<void> => {
  const deliveries: [QueueName, DispatchedEvent[]][] = [
    [PERSIST_QUEUE, await leaveUnstored(dependencies, subscribersOf(PERSIST_QUEUE, events))],
    [LOG_QUEUE, dependencies.logger.isLevelEnabled('debug') ? subscribersOf(LOG_QUEUE, events) : []],
    [WEBHOOK_QUEUE, await oweCalls(dependencies, subscribersOf(WEBHOOK_QUEUE, events))],
  ];
  for (const [queueName, due] of deliveries) {
    if (due.length > 0) await dependencies.queue.addJobs(queueName, due.map(toDelivery));
  }
};

const subscribersOf = (queueName: QueueName, events: DispatchedEvent[]): DispatchedEvent[] =>
  events.filter(({ data }) => SUBSCRIPTIONS[data.type].includes(queueName));

const toDelivery = ({ eventId, data }: DispatchedEvent): NewJob => ({ id: eventId, name: data.type, data });

/** Stores what can be stored; answers what has to be tried alone. One event that can't be stored holds up no other. */
const leaveUnstored = async ({ database, logger }: DispatchDependencies, events: DispatchedEvent[]) => {
  try {
    const stored = await storeEvents(database, events);
    return events.filter(({ eventId }) => !stored.has(eventId));
  } catch (error) {
    logger.warn(
      { err: error, count: events.length },
      'could not store a batch of events; storing each alone',
    );
    return events;
  }
};

const oweCalls = async ({ database, hasWebhook }: DispatchDependencies, events: DispatchedEvent[]) => {
  if (!hasWebhook || events.length === 0) return [];
  const owed = await oweWebhooks(
    database,
    events.map(({ eventId }) => eventId),
  );
  return events.filter(({ eventId }) => owed.has(eventId));
};
