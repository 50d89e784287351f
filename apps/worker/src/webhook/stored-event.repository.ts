import { type DomainEventHead, DomainEventHeadSchema } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';

/**
 * Finds a published event: in the outbox while it is there, later in the timeline, which has the time when the event
 * was stored instead of when it was generated.
 *
 * @param eventId - a UUID
 * @returns null when there is no such event
 */
export const findStoredEvent = async (
  database: Database,
  eventId: string,
): Promise<DomainEventHead | null> => {
  const published = await database.outboxEvent.findUnique({ where: { id: eventId } });
  if (published !== null) return DomainEventHeadSchema.parse(published.payload);
  const stored = await database.notificationEvent.findUnique({ where: { id: eventId } });
  if (stored === null) return null;
  return DomainEventHeadSchema.parse({ ...stored, generatedAt: stored.createdAt.toISOString() });
};
