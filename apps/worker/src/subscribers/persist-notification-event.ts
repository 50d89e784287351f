import { type DomainEventHead, DomainEventHeadSchema } from '@mailsweep/contracts';
import { type Database, Prisma, writeRows } from '@mailsweep/database';
import { type QueuedJob, toStorableJsonText } from '@mailsweep/event-bus';
import { z } from 'zod';
import { parseJob } from '../parse-job.ts';

const UserIdSchema = z.uuid();
const isUuid = (text: string): boolean => UserIdSchema.safeParse(text).success;

/** The head of an event, of which the timeline keeps type, userId and summary. */
const PersistDataSchema = DomainEventHeadSchema.refine((head) => isUuid(head.userId), {
  path: ['userId'],
});

/**
 * Stores events in the timeline, in one statement. An event's id is the row's, so a second delivery changes
 * nothing; the database's clock says when it was stored. Rows go in by id, so that two batches that hold the same
 * events wait for each other and never both at once.
 *
 * @returns the ids of the events that are now stored; those of people whose id makes no sense are not
 */
export const storeEvents = async (
  database: Database,
  events: { eventId: string; data: DomainEventHead }[],
): Promise<Set<string>> => {
  const storable = events.filter(({ data }) => isUuid(data.userId));
  if (storable.length === 0) return new Set();
  const rows = storable.map(({ eventId, data }) => ({
    id: eventId,
    type: data.type,
    userId: data.userId,
    summary: data.summary,
  }));
  await writeRows(
    database,
    Prisma.sql`
    INSERT INTO "NotificationEvent" ("id", "type", "userId", "summary")
    SELECT "id", "type", "userId", "summary"
    FROM jsonb_to_recordset(${toStorableJsonText(rows)}::jsonb)
      AS event("id" uuid, "type" text, "userId" uuid, "summary" jsonb)
    ORDER BY "id"
    ON CONFLICT ("id") DO NOTHING`,
  );
  return new Set(rows.map(({ id }) => id));
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
