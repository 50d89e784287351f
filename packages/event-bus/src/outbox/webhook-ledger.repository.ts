import type { Database } from '@mailsweep/database';

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
