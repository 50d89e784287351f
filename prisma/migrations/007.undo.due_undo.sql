DROP INDEX "ActionBatch_undoDueAt_idx";
ALTER TABLE "ActionBatch"
  DROP COLUMN "undoDueAt",
  DROP COLUMN "undoLeasedUntil",
  DROP COLUMN "undoCrashes";
