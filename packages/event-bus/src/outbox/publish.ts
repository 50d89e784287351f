import type { DomainEvent, DomainEventType } from '@mailsweep/contracts';
import type { Prisma, Transaction } from '@mailsweep/database';
import { v7 as uuidv7 } from 'uuid';
import { executeOutboxInsert, toOutboxInsert } from './outbox.repository.ts';
import { toStorableJson } from './to-storable-json.ts';

/**
 * The insert that {@link publish} runs. As part of the statement that writes the rows that the event describes, it
 * makes an explicit transaction unnecessary.
 *
 * @param payload - the event itself, without an envelope
 * @param id - the event's id, a UUID of version 7 (RFC 9562)
 * @throws when the payload is not an event of that name
 */
export const toPublication = (
  eventName: DomainEventType,
  payload: DomainEvent,
  id: string = uuidv7(),
): Prisma.Sql => {
  if (payload.type !== eventName) {
    throw new Error(`an event of type ${payload.type} can't be published as ${eventName}`);
  }
  return toOutboxInsert({ id, type: eventName, userId: payload.userId, payload: toStorableJson(payload) });
};

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
  const id = uuidv7();
  await executeOutboxInsert(tx, toPublication(eventName, payload, id));
  return id;
};
