import type { Database } from '@mailsweep/database';
import { v7 as uuidv7 } from 'uuid';
import { announceWork, dueNow, LEASE_S } from '../due-work/due-work.repository.ts';
import type { ActionBatchRow } from './action-batch.repository.ts';

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
    WHERE "id" = ${id}::uuid AND "userId" = ${userId}::uuid AND "undone" < "total"
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
