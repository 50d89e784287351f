import type { Database } from '@mailsweep/database';
import type { ActionBatchRow } from './action-batch.repository.ts';

/** How long the undo of a process that died stays taken, in seconds. */
export const UNDO_LEASE_S = 12;
/** Processes in a row that may die during a step, before the undo waits for an operator. */
const MAX_CRASHES = 5;
/** Pause after each such process, in seconds, in which the other work that died with it gets ahead. */
const CRASH_PAUSE_S = 5;

/** A batch that is being undone, as far as a step needs it. */
export type UndoingBatch = Pick<ActionBatchRow, 'id' | 'userId' | 'undoCursor' | 'updatedAt'>;

/**
 * Begins to undo a batch, from its newest record on. Few records are leased to the caller, who undoes them at once; more are
 * due for a worker.
 *
 * @param requestSize - most records that are leased to the caller
 * @returns the batch and whether it is leased; null where the undo is running, nothing is left, or the user has no such
 *   batch
 */
export const beginBatchUndo = async (
  database: Database,
  userId: string,
  id: string,
  requestSize: number,
): Promise<(UndoingBatch & { isLeased: boolean }) | null> => {
  const [begun] = await database.$queryRaw<(UndoingBatch & { isLeased: boolean })[]>`
    UPDATE "ActionBatch" SET "undoState" = 'running', "undoCursor" = NULL, "undoFailed" = 0, "updatedAt" = now(),
      "undoDueAt" = now(), "undoCrashes" = 0, "undoLeasedUntil" = CASE WHEN "total" - "undone" <= ${requestSize}::int
        THEN now() + make_interval(secs => ${UNDO_LEASE_S}::float8) END
    WHERE "id" = ${id}::uuid AND "userId" = ${userId}::uuid AND "undone" < "total"
      AND "undoState" IS DISTINCT FROM 'running'
    RETURNING "id", "userId", "undoCursor", "updatedAt", "undoLeasedUntil" IS NOT NULL AS "isLeased"`;
  return begun ?? null;
};

/** Leases the undo that has been due the longest; null when none is due. A lease that has run out is that of a crash. */
export const claimDueBatchUndo = async (database: Database): Promise<UndoingBatch | null> => {
  const [claimed] = await database.$queryRaw<UndoingBatch[]>`
    WITH due AS (
      SELECT "id" FROM "ActionBatch"
      WHERE "undoState" = 'running' AND ("undoDueAt" IS NULL OR "undoDueAt" <= now())
        AND "undoCrashes" < ${MAX_CRASHES}::int
        AND ("undoLeasedUntil" IS NULL
          OR "undoLeasedUntil" < now() - make_interval(secs => "undoCrashes" * ${CRASH_PAUSE_S}::float8))
      ORDER BY "undoDueAt" NULLS FIRST LIMIT 1 FOR UPDATE SKIP LOCKED)
    UPDATE "ActionBatch" AS batch SET "undoLeasedUntil" = now() + make_interval(secs => ${UNDO_LEASE_S}::float8),
      "undoCrashes" = "undoCrashes" + CASE WHEN "undoLeasedUntil" IS NULL THEN 0 ELSE 1 END
    FROM due WHERE batch."id" = due."id"
    RETURNING batch."id", batch."userId", batch."undoCursor", batch."updatedAt"`;
  return claimed ?? null;
};

/** Keeps a batch leased while a step is taken. */
export const renewBatchUndo = async (database: Database, { id }: UndoingBatch): Promise<void> => {
  await database.$executeRaw`
    UPDATE "ActionBatch" SET "undoLeasedUntil" = now() + make_interval(secs => ${UNDO_LEASE_S}::float8)
    WHERE "id" = ${id}::uuid AND "undoState" = 'running' AND "undoLeasedUntil" IS NOT NULL`;
};

/** Ends the lease of a step; the next one is due after a while. */
export const releaseBatchUndo = async (
  database: Database,
  { id }: UndoingBatch,
  waitMs: number,
): Promise<void> => {
  await database.$executeRaw`
    UPDATE "ActionBatch" SET "undoLeasedUntil" = NULL, "undoCrashes" = 0,
      "undoDueAt" = now() + make_interval(secs => ${waitMs / 1_000}::float8)
    WHERE "id" = ${id}::uuid`;
};

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

/** Undos that wait for an operator, since too many processes died of them. */
export const listParkedBatchUndos = (
  database: Database,
): Promise<{ id: string; crashes: number; updatedAt: Date }[]> =>
  database.$queryRaw`
    SELECT "id", "undoCrashes" AS "crashes", "updatedAt" FROM "ActionBatch"
    WHERE "undoState" = 'running' AND "undoCrashes" >= ${MAX_CRASHES}::int ORDER BY "updatedAt"`;

/** How many undos go on, and how many wait for an operator. */
export const countBatchUndos = async (database: Database): Promise<{ running: number; parked: number }> => {
  const [counts] = await database.$queryRaw<[{ running: number; parked: number }]>`
    SELECT count(*) FILTER (WHERE "undoCrashes" < ${MAX_CRASHES}::int)::int AS "running",
      count(*) FILTER (WHERE "undoCrashes" >= ${MAX_CRASHES}::int)::int AS "parked"
    FROM "ActionBatch" WHERE "undoState" = 'running'`;
  return counts;
};

/** Has an undo that waits for an operator taken up again; returns whether it waited. */
export const resumeParkedBatchUndo = async (database: Database, id: string): Promise<boolean> => {
  const { count } = await database.actionBatch.updateMany({
    where: { id, undoState: 'running', undoCrashes: { gte: MAX_CRASHES } },
    data: { undoCrashes: 0, undoLeasedUntil: null },
  });
  return count > 0;
};
