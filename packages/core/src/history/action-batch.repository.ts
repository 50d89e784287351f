import type { ListActionBatchesQuery } from '@mailsweep/contracts';
import { type Database, Prisma } from '@mailsweep/database';
import { v7 as uuidv7 } from 'uuid';
import { announceWork, dueNow, LEASE_S } from '../due-work/due-work.repository.ts';

export type ActionBatchRow = Prisma.ActionBatchGetPayload<object>;

/** Whether an undo would put something back. */
export const IS_LEFT = Prisma.sql`"undone" < "total" - "unchanged"`;

/** One of the senders of a batch's emails. */
export interface BatchSenderRow {
  batchId: string;
  emails: number;
  senders: number;
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
  const isUndoable = Prisma.sql`("undoState" IS NULL AND ${IS_LEFT})`;
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
        AND message."senderKey" <> ''
      GROUP BY record."batchId", message."senderKey"
    ) AS top
    JOIN "CachedMessage" AS text ON text."userId" = ${userId}::uuid AND text."emailId" = top."emailId"
    WHERE top."rank" <= ${limit}
    ORDER BY top."batchId", top."rank"`;

/** A batch that is being undone, as far as a step needs it. */
export type UndoingBatch = Pick<ActionBatchRow, 'id' | 'userId' | 'undoCursor' | 'updatedAt'>;

/**
 * Begins to undo a batch, from its newest record on. Few records are leased to the caller, who undoes them at once; more are
 * due for a worker.
 *
 * @param requestSize - most records that are leased to the caller
 * @returns the batch, with a lease where it is the caller's; null where the undo is running, nothing is left, or the user
 *   has no such batch
 */
export const beginBatchUndo = async (
  database: Database,
  userId: string,
  id: string,
  requestSize: number,
): Promise<{ id: string; userId: string; leaseId: string | null } | null> => {
  const [begun] = await database.$queryRaw<{ id: string; userId: string; leaseId: string | null }[]>`
    WITH request AS (SELECT ${uuidv7()}::uuid AS "leaseId", now() + make_interval(secs => ${LEASE_S}::float8) AS "until")
    UPDATE "ActionBatch" SET "undoState" = 'running', "undoCursor" = NULL, "undoFailed" = 0, "updatedAt" = now(), ${dueNow()},
      "leaseId" = CASE WHEN "total" - "undone" <= ${requestSize}::int THEN request."leaseId" END,
      "leasedUntil" = CASE WHEN "total" - "undone" <= ${requestSize}::int THEN request."until" END
    FROM request
    WHERE "id" = ${id}::uuid AND "userId" = ${userId}::uuid AND ${IS_LEFT}
      AND "undoState" IS DISTINCT FROM 'running'
    RETURNING "id", "userId", "ActionBatch"."leaseId"`;
  if (begun?.leaseId === null) await announceWork(database, 'undo');
  return begun ?? null;
};

/** A batch that is being undone, as it is now. */
export const findUndoingBatch = async (database: Database, id: string): Promise<UndoingBatch | null> =>
  await database.actionBatch.findFirst({
    where: { id, undoState: 'running' },
    select: { id: true, userId: true, undoCursor: true, updatedAt: true },
  });

/** The newest records that an undo has not reached yet and that are not undone. */
export const listRecordsToUndo = async (
  database: Database,
  { id, userId, undoCursor }: UndoingBatch,
  limit: number,
): Promise<string[]> => {
  const rows = await database.actionHistory.findMany({
    where: {
      batchId: id,
      userId,
      undoneAt: null,
      ...(undoCursor === null ? {} : { id: { lt: undoCursor } }),
    },
    orderBy: { id: 'desc' },
    take: limit,
    select: { id: true },
  });
  return rows.map((row) => row.id);
};

/** Moves the cursor past a step, unless another process has; failures are counted only then. */
export const advanceBatchUndo = async (
  database: Database,
  { id, undoCursor }: UndoingBatch,
  step: { cursor: string; failed: number; isLast: boolean },
): Promise<void> => {
  await database.$executeRaw`
    UPDATE "ActionBatch" SET "undoCursor" = ${step.cursor}::uuid, "undoFailed" = "undoFailed" + ${step.failed}::int,
      "undoState" = CASE WHEN ${step.isLast} THEN 'done' ELSE 'running' END, "updatedAt" = now()
    WHERE "id" = ${id}::uuid AND "undoState" = 'running' AND "undoCursor" IS NOT DISTINCT FROM ${undoCursor}::uuid`;
};

/** Ends an undo that has nothing left to do. */
export const endBatchUndo = async (database: Database, { id, undoCursor }: UndoingBatch): Promise<void> => {
  await database.$executeRaw`
    UPDATE "ActionBatch" SET "undoState" = 'done', "updatedAt" = now()
    WHERE "id" = ${id}::uuid AND "undoState" = 'running' AND "undoCursor" IS NOT DISTINCT FROM ${undoCursor}::uuid`;
};
