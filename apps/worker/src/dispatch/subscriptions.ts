import { DOMAIN_EVENTS, type DomainEventType } from '@mailsweep/contracts';
import { PERSIST_QUEUE, type QueueName, WEBHOOK_QUEUE } from '@mailsweep/event-bus';

/** Subscribers of each event that can fail, each with a queue of its own; the debug log needs none. */
export const SUBSCRIPTIONS: Record<DomainEventType, readonly QueueName[]> = {
  [DOMAIN_EVENTS.SUGGESTIONS_GENERATED]: [PERSIST_QUEUE, WEBHOOK_QUEUE],
  [DOMAIN_EVENTS.SUGGESTION_CONFIRMED]: [PERSIST_QUEUE],
};
