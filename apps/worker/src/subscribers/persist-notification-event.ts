import { DomainEventHeadSchema } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { type QueuedJob, toStorableJson } from '@mailsweep/event-bus';
import { z } from 'zod';
import { parseJob } from '../parse-job.ts';

const isUuid = (text: string): boolean => z.uuid().safeParse(text).success;

/** The head of an event, of which the timeline keeps type, userId and summary. */
const PersistDataSchema = DomainEventHeadSchema.refine((head) => isUuid(head.userId), {
  path: ['userId'],
});

/**
 * Stores an event in the timeline. The event's id is the row's, so a second delivery changes nothing; the
 * database's clock says when it was stored.
 */
export const executePersistNotificationEvent = async (
  dependencies: { database: Database },
  job: QueuedJob,
): Promise<void> => {
  const { eventId, data } = parseJob(PersistDataSchema, job);
  const summary = JSON.stringify(toStorableJson(data.summary));
  try {
    await dependencies.database.$executeRaw`
      INSERT INTO "NotificationEvent" ("id", "type", "userId", "summary")
      VALUES (${eventId}::uuid, ${data.type}, ${data.userId}::uuid, ${summary}::jsonb)
      ON CONFLICT ("id") DO NOTHING`;
  } catch (error) {
    throw new Error('the event could not be stored', { cause: error });
  }
};
