import type { Database } from '@mailsweep/database';

/**
 * Notes that the workflow service is owed an event, so that the event is published again should the queue
 * forget it.
 *
 * @returns whether the call still has to be made; false when it is settled already
 */
export const oweWebhook = async (database: Database, eventId: string): Promise<boolean> => {
  // The SELECT sees the row as it was before the statement.
  const rows = await database.$queryRaw<{ webhookState: string | null }[]>`
    WITH owed AS (
      UPDATE "OutboxEvent" SET "webhookState" = 'pending'
      WHERE "id" = ${eventId}::uuid AND "webhookState" IS NULL
    )
    SELECT "webhookState" FROM "OutboxEvent" WHERE "id" = ${eventId}::uuid`;
  return rows[0]?.webhookState !== 'settled';
};

/** Notes that the workflow service has the event, or has refused it for good. */
export const settleWebhook = async (database: Database, eventId: string): Promise<void> => {
  await database.$executeRaw`
    UPDATE "OutboxEvent" SET "webhookState" = 'settled' WHERE "id" = ${eventId}::uuid`;
};
