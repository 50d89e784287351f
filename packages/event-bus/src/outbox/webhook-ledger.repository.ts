import type { Database } from '@mailsweep/database';

/**
 * Notes that the workflow service is owed events, so that they are published again should the queue forget them.
 *
 * @returns the events of which it still has to be told: those that are not settled already
 */
export const oweWebhooks = async (database: Database, eventIds: string[]): Promise<Set<string>> => {
  // The outer SELECT sees the rows as they were before the statement.
  const settled = await database.$queryRaw<{ id: string }[]>`
    WITH owed AS (
      UPDATE "OutboxEvent" SET "webhookState" = 'pending' WHERE "id" IN (
        SELECT "id" FROM "OutboxEvent"
        WHERE "id" = ANY(${eventIds}::uuid[]) AND "webhookState" IS NULL
        ORDER BY "id" FOR UPDATE
      )
    )
    SELECT "id" FROM "OutboxEvent" WHERE "id" = ANY(${eventIds}::uuid[]) AND "webhookState" = 'settled'`;
  const isSettled = new Set(settled.map(({ id }) => id));
  return new Set(eventIds.filter((id) => !isSettled.has(id)));
};

/** Notes that the workflow service has the event, or has refused it for good. */
export const settleWebhook = async (database: Database, eventId: string): Promise<void> => {
  await database.$executeRaw`
    UPDATE "OutboxEvent" SET "webhookState" = 'settled' WHERE "id" = ${eventId}::uuid`;
};
