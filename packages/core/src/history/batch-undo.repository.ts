import type { Database } from '@mailsweep/database';
import type { ActionBatchRow } from './action-batch.repository.ts';

/** How long an undo may go without progress before its step is put into the queue again, in seconds. */
const SILENCE_S = 30;

/** A batch that is being undone, as far as a step needs it. */
export type UndoingBatch = Pick<ActionBatchRow, 'id' | 'userId' | 'undoCursor' | 'updatedAt'>;

/**
 * Begins to undo a batch, from its newest record on.
 *
 * @returns the batch and how many records are left; null where the undo is running, nothing is left, or the user has no
 *   such batch
 */
export const beginBatchUndo = async (
  database: Database,
  userId: string,
  id: string,
): Promise<(UndoingBatch & { left: number }) | null> => {
  const [begun] = await database.$queryRaw<(UndoingBatch & { left: number })[]>`
    UPDATE "ActionBatch" SET "undoState" = 'running', "undoCursor" = NULL, "undoFailed" = 0, "updatedAt" = now()
    WHERE "id" = ${id}::uuid AND "userId" = ${userId}::uuid AND "undone" < "total"
      AND "undoState" IS DISTINCT FROM 'running'
    RETURNING "id", "userId", "undoCursor", "updatedAt", "total" - "undone" AS "left"`;
  return begun ?? null;
};

/** The batch, while it is being undone. */
export const findUndoingBatch = (database: Database, id: string): Promise<UndoingBatch | null> =>
  database.actionBatch.findFirst({
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

/** Batches whose undo has made no progress for a while, each with its current step. */
export const listStalledBatchUndos = (database: Database, limit: number): Promise<UndoingBatch[]> =>
  database.$queryRaw`
    SELECT "id", "userId", "undoCursor", "updatedAt" FROM "ActionBatch"
    WHERE "undoState" = 'running' AND "updatedAt" < now() - make_interval(secs => ${SILENCE_S}::float8)
    ORDER BY "updatedAt" LIMIT ${limit}`;
