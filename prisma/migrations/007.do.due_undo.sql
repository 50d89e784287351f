-- The undo of a batch is due work: a worker claims it with a lease (docs/decisions/039). What was running before has no
-- `undoDueAt` and counts as due.
ALTER TABLE "ActionBatch"
  ADD COLUMN "undoDueAt" TIMESTAMPTZ(3),
  ADD COLUMN "undoLeasedUntil" TIMESTAMPTZ(3),
  ADD COLUMN "undoCrashes" INTEGER NOT NULL DEFAULT 0;
CREATE INDEX "ActionBatch_undoDueAt_idx" ON "ActionBatch" ("undoDueAt" NULLS FIRST) WHERE "undoState" = 'running';
