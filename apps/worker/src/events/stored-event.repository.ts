import { type DomainEventHead, DomainEventHeadSchema } from '@mailsweep/contracts';
import { type Database, Prisma, writeRows } from '@mailsweep/database';
import { toStorableJsonText } from '@mailsweep/event-bus';

/**
 * Stores events in the timeline, in one statement. An event's id is the row's, so a second delivery changes nothing; the
 * database's clock says when it was stored. Rows are inserted by id, so that two batches with the same events can't
 * deadlock.
 */
export const insertEvents = (
  database: Database,
  events: { eventId: string; data: DomainEventHead }[],
): Promise<void> => {
  const rows = events.map(({ eventId, data: { type, userId, summary } }) => ({
    id: eventId,
    type,
    userId,
    summary,
  }));
  return writeRows(
    database,
    Prisma.sql`
    INSERT INTO "NotificationEvent" ("id", "type", "userId", "summary")
    SELECT "id", "type", "userId", "summary"
    FROM jsonb_to_recordset(${toStorableJsonText(rows)}::jsonb)
      AS event("id" uuid, "type" text, "userId" uuid, "summary" jsonb)
    ORDER BY "id"
    ON CONFLICT ("id") DO NOTHING`,
  );
};

/**
 * Finds a published event: in the outbox while it is there, later in the timeline, which has the time when the event
 * was stored instead of when it was generated, and no trace.
 *
 * @param eventId - a UUID
 * @returns null when there is no such event
 */
export const findStoredEvent = async (
  database: Database,
  eventId: string,
): Promise<{ event: DomainEventHead; traceParent: string | null } | null> => {
  const published = await database.outboxEvent.findUnique({ where: { id: eventId } });
  if (published !== null) {
    const { payload, traceParent } = published;
    return { event: DomainEventHeadSchema.parse(payload), traceParent };
  }
  const stored = await database.notificationEvent.findUnique({ where: { id: eventId } });
  if (stored === null) return null;
  const event = DomainEventHeadSchema.parse({ ...stored, generatedAt: stored.createdAt.toISOString() });
  return { event, traceParent: null };
};
