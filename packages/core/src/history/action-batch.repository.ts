import type { ListActionBatchesQuery } from '@mailsweep/contracts';
import { type Database, Prisma } from '@mailsweep/database';

export type ActionBatchRow = Prisma.ActionBatchGetPayload<object>;

/** One of the senders of a batch's emails. */
export interface BatchSenderRow {
  batchId: string;
  /** Its emails in the batch. */
  emails: number;
  /** All senders of the batch. */
  senders: number;
  /** One of its emails. */
  emailId: string;
  encryptedText: string;
}

/**
 * A page of the user's batches, newest first, and how many there are; the filters narrow both.
 *
 * @param emailIds - only batches with one of these emails
 */
export const listBatchRows = async (
  database: Database,
  userId: string,
  { page, perPage, source, action, batch, undoable }: ListActionBatchesQuery,
  emailIds: readonly string[] | undefined,
): Promise<{ total: number; rows: ActionBatchRow[] }> => {
  const isUndoable = Prisma.sql`("undoState" IS NULL AND "undone" < "total")`;
  const conditions = [
    Prisma.sql`"userId" = ${userId}::uuid`,
    ...(source ? [Prisma.sql`"source" = ${source}`] : []),
    ...(action ? [Prisma.sql`"action" = ${action}`] : []),
    ...(batch ? [Prisma.sql`"id" = ${batch}::uuid`] : []),
    ...(undoable === undefined ? [] : [Prisma.sql`${isUndoable} = ${undoable}`]),
    ...(emailIds === undefined
      ? []
      : [
          Prisma.sql`"id" IN (
            SELECT "batchId" FROM "ActionHistory"
            WHERE "userId" = ${userId}::uuid AND "emailId" = ANY(${emailIds}::text[]))`,
        ]),
  ];
  const matching = Prisma.sql`FROM "ActionBatch" WHERE ${Prisma.join(conditions, ' AND ')}`;
  const [[counted], rows] = await Promise.all([
    database.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS "total" ${matching}`,
    database.$queryRaw<ActionBatchRow[]>`
      SELECT * ${matching} ORDER BY "startedAt" DESC, "id" DESC OFFSET ${(page - 1) * perPage} LIMIT ${perPage}`,
  ]);
  return { total: counted?.total ?? 0, rows };
};

/** The user's batch with this id. */
export const findBatchRow = (
  database: Database,
  userId: string,
  id: string,
): Promise<ActionBatchRow | null> => database.actionBatch.findFirst({ where: { id, userId } });

/** For each batch the senders with the most emails. Emails count as far as their messages are cached. */
export const listTopSenders = (
  database: Database,
  userId: string,
  batchIds: string[],
  limit: number,
): Promise<BatchSenderRow[]> =>
  database.$queryRaw<BatchSenderRow[]>`
    SELECT top."batchId", top."emails", top."senders", top."emailId", text."encryptedText"
    FROM (
      SELECT record."batchId", message."senderKey", max(message."emailId") AS "emailId",
        count(DISTINCT message."emailId")::int AS "emails",
        (count(*) OVER (PARTITION BY record."batchId"))::int AS "senders",
        row_number() OVER (
          PARTITION BY record."batchId" ORDER BY count(DISTINCT message."emailId") DESC, message."senderKey") AS "rank"
      FROM "ActionHistory" AS record
      JOIN "CachedMessage" AS message
        ON message."userId" = ${userId}::uuid AND message."emailId" = record."emailId"
      WHERE record."batchId" = ANY(${batchIds}::uuid[]) AND record."userId" = ${userId}::uuid
      GROUP BY record."batchId", message."senderKey"
    ) AS top
    JOIN "CachedMessage" AS text ON text."userId" = ${userId}::uuid AND text."emailId" = top."emailId"
    WHERE top."rank" <= ${limit}
    ORDER BY top."batchId", top."rank"`;
