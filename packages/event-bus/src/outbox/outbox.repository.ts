import type { DomainEvent, DomainEventType } from '@mailsweep/contracts';
import type { Database, Transaction } from '@mailsweep/database';
import { currentTraceParent, inSpan, toMessageSpan } from '@mailsweep/service-kit/tracing';
import { v7 as uuidv7 } from 'uuid';
import { DOMAIN_EVENTS_QUEUE } from '../queue/queues.ts';
import { toStorableJsonText } from './to-storable-json.ts';

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
  await inSpan(
    ...toMessageSpan('create', DOMAIN_EVENTS_QUEUE, { id }),
    () => tx.$executeRaw`
      INSERT INTO "OutboxEvent" ("id", "type", "userId", "payload", "traceParent")
      VALUES (${id}::uuid, ${eventName}, ${payload.userId}::uuid, ${toStorableJsonText(payload)}::jsonb, ${currentTraceParent()})`,
  );
  return id;
};

export interface PendingEvent {
  id: string;
  type: string;
  payload: unknown;
  traceParent: string | null;
}

/** Locks the oldest unpublished events that no other replica has locked. */
export const lockPendingEvents = (tx: Transaction, limit: number): Promise<PendingEvent[]> =>
  tx.$queryRaw<PendingEvent[]>`
    SELECT "id", "type", "payload", "traceParent" FROM "OutboxEvent"
    WHERE "publishedAt" IS NULL
    ORDER BY "id"
    LIMIT ${limit}
    FOR UPDATE SKIP LOCKED`;

export const markPublished = (tx: Transaction, ids: string[]): Promise<number> =>
  tx.$executeRaw`
    UPDATE "OutboxEvent" SET "publishedAt" = CURRENT_TIMESTAMP WHERE "id" = ANY(${ids}::uuid[])`;

/**
 * Marks events to be published again that were published some time ago and yet have not reached the timeline,
 * or whose webhook delivery is pending. The older an event, the rarer: the time between two rounds is at least a
 * quarter of its age, so that a webhook that retries for a day causes a handful of rounds.
 *
 * @param overdueMs - how long an event may be in flight
 * @returns how many
 */
export const unpublishOverdue = (database: Database, overdueMs: number, limit: number): Promise<number> =>
  database.$executeRaw`
    UPDATE "OutboxEvent" SET "publishedAt" = NULL WHERE "id" IN (
      SELECT event."id" FROM "OutboxEvent" AS event
      WHERE event."publishedAt" <= CURRENT_TIMESTAMP - make_interval(secs => ${overdueMs / 1_000}::float8)
        AND event."publishedAt" <= CURRENT_TIMESTAMP - (CURRENT_TIMESTAMP - event."createdAt") / 4
        AND (
          event."webhookState" = 'pending'
          OR NOT EXISTS (SELECT FROM "NotificationEvent" AS stored WHERE stored."id" = event."id")
        )
      ORDER BY event."publishedAt"
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    )`;

/**
 * Deletes events that were delivered to all subscribers and kept long enough, and those whose webhook is still
 * pending after `giveUpMs`.
 *
 * @returns how many
 */
export const deleteDelivered = (
  database: Database,
  ages: { keepMs: number; giveUpMs: number },
  limit: number,
): Promise<number> =>
  database.$executeRaw`
    DELETE FROM "OutboxEvent" WHERE "id" IN (
      SELECT event."id" FROM "OutboxEvent" AS event
      WHERE event."publishedAt" <= CURRENT_TIMESTAMP - make_interval(secs => ${ages.keepMs / 1_000}::float8)
        AND EXISTS (SELECT FROM "NotificationEvent" AS stored WHERE stored."id" = event."id")
        AND (
          event."webhookState" IS DISTINCT FROM 'pending'
          OR event."createdAt" <= CURRENT_TIMESTAMP - make_interval(secs => ${ages.giveUpMs / 1_000}::float8)
        )
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    )`;

/** How far publishing is behind: events not yet published, the age of the oldest, and pending webhook deliveries. */
export const measureOutbox = async (
  database: Database,
): Promise<{ unpublished: number; oldestSeconds: number; webhooksPending: number }> => {
  const rows = await database.$queryRaw<
    [{ unpublished: number; oldestSeconds: number; webhooksPending: number }]
  >`
    SELECT
      count(*) FILTER (WHERE "publishedAt" IS NULL)::integer AS "unpublished",
      coalesce(extract(epoch FROM CURRENT_TIMESTAMP - min("createdAt") FILTER (WHERE "publishedAt" IS NULL)), 0)::float8
        AS "oldestSeconds",
      count(*) FILTER (WHERE "webhookState" = 'pending')::integer AS "webhooksPending"
    FROM "OutboxEvent"
    WHERE "publishedAt" IS NULL OR "webhookState" = 'pending'`;
  return rows[0];
};

/**
 * Marks the webhook deliveries of events as pending, so that they are published again if the queue loses them.
 *
 * @returns the events whose webhook is not done yet
 */
export const markWebhooksPending = async (database: Database, eventIds: string[]): Promise<Set<string>> => {
  // The outer SELECT sees the rows as they were before the statement.
  const done = await database.$queryRaw<{ id: string }[]>`
    WITH marked AS (
      UPDATE "OutboxEvent" SET "webhookState" = 'pending' WHERE "id" IN (
        SELECT "id" FROM "OutboxEvent"
        WHERE "id" = ANY(${eventIds}::uuid[]) AND "webhookState" IS NULL
        ORDER BY "id" FOR UPDATE
      )
    )
    SELECT "id" FROM "OutboxEvent" WHERE "id" = ANY(${eventIds}::uuid[]) AND "webhookState" = 'done'`;
  const isDone = new Set(done.map(({ id }) => id));
  return new Set(eventIds.filter((id) => !isDone.has(id)));
};

/** Marks a webhook as done: the workflow service has the event, or has refused it for good. */
export const markWebhookDone = async (database: Database, eventId: string): Promise<void> => {
  await database.$executeRaw`
    UPDATE "OutboxEvent" SET "webhookState" = 'done' WHERE "id" = ${eventId}::uuid`;
};
