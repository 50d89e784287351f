import { DOMAIN_EVENTS, type DomainEventType } from '@mailsweep/contracts';
import { LOG_QUEUE, PERSIST_QUEUE, type QueueName, WEBHOOK_QUEUE } from '@mailsweep/event-bus';

/** Subscribers of each event, each with a queue of its own. */
export const SUBSCRIPTIONS: Record<DomainEventType, readonly QueueName[]> = {
  [DOMAIN_EVENTS.SUGGESTIONS_GENERATED]: [PERSIST_QUEUE, LOG_QUEUE, WEBHOOK_QUEUE],
  [DOMAIN_EVENTS.SUGGESTION_CONFIRMED]: [PERSIST_QUEUE],
};
