import type { DomainEvent, DomainEventType } from '@mailsweep/contracts';
import type { Transaction } from '@mailsweep/database';
import { currentTraceParent, inSpan, toMessageSpan } from '@mailsweep/service-kit/tracing';
import { v7 as uuidv7 } from 'uuid';
import { DOMAIN_EVENTS_QUEUE } from '../queue/queues.ts';
import { insertOutboxEvent } from './outbox.repository.ts';
import { toStorableJson } from './to-storable-json.ts';

/**
 * Publishes a domain event: writes it to the outbox within the caller's transaction, so that it
 * exists if and only if the rows that it describes do. The relay publishes it to the queue afterwards; no request
 * waits for that. Wake the relay once the transaction is committed.
 *
 * @param payload - the event itself, without an envelope
 * @returns the event's id, a UUID of version 7 (RFC 9562)
 * @throws when the payload is not an event of that name
 */
export const publish = async (
  tx: Transaction,
  eventName: DomainEventType,
  payload: DomainEvent,
): Promise<string> => {
  if (payload.type !== eventName) {
    throw new Error(`an event of type ${payload.type} can't be published as ${eventName}`);
  }
  const id = uuidv7();
  await inSpan(...toMessageSpan('create', DOMAIN_EVENTS_QUEUE, { id }), () =>
    insertOutboxEvent(tx, {
      id,
      type: eventName,
      userId: payload.userId,
      payload: toStorableJson(payload),
      traceParent: currentTraceParent(),
    }),
  );
  return id;
};
