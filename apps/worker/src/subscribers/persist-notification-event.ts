import { type DomainEventHead, DomainEventHeadSchema } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import type { QueuedJob } from '@mailsweep/event-bus';
import { z } from 'zod';
import { parseJob } from '../parse-job.ts';
import { insertEvents } from './stored-events.repository.ts';

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
export const storeEvents = async (
  database: Database,
  events: { eventId: string; data: DomainEventHead }[],
): Promise<Set<string>> => {
  const storable = events.filter(({ data }) => isUuid(data.userId));
  if (storable.length > 0) await insertEvents(database, storable);
  return new Set(storable.map(({ eventId }) => eventId));
};

/** Stores one event that its batch could not store. */
export const executePersistNotificationEvent = async (
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
