-- Scans, cleanups and undos of batches are due rows that a worker claims with a lease (docs/decisions/052). What was
-- running before is due at once.
ALTER TABLE "MailboxScan"
  ADD COLUMN "dueAt" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  ADD COLUMN "leaseId" UUID,
  ADD COLUMN "leasedUntil" TIMESTAMPTZ(3),
  ADD COLUMN "crashes" INTEGER NOT NULL DEFAULT 0;
CREATE INDEX "MailboxScan_dueAt_idx" ON "MailboxScan" ("dueAt") WHERE "state" IN ('queued', 'running', 'waiting');

ALTER TABLE "Cleanup"
  ADD COLUMN "dueAt" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  ADD COLUMN "leaseId" UUID,
  ADD COLUMN "leasedUntil" TIMESTAMPTZ(3),
  ADD COLUMN "crashes" INTEGER NOT NULL DEFAULT 0;
CREATE INDEX "Cleanup_dueAt_idx" ON "Cleanup" ("dueAt") WHERE "state" IN ('queued', 'running', 'waiting');

ALTER TABLE "ActionBatch"
  ADD COLUMN "dueAt" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  ADD COLUMN "leaseId" UUID,
  ADD COLUMN "leasedUntil" TIMESTAMPTZ(3),
  ADD COLUMN "crashes" INTEGER NOT NULL DEFAULT 0;
CREATE INDEX "ActionBatch_dueAt_idx" ON "ActionBatch" ("dueAt") WHERE "undoState" = 'running';
