import { type DomainEventHead, DomainEventHeadSchema } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';

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
