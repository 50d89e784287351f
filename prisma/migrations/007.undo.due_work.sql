ALTER TABLE "MailboxScan" DROP COLUMN "dueAt", DROP COLUMN "leaseId", DROP COLUMN "leasedUntil", DROP COLUMN "crashes";
ALTER TABLE "Cleanup" DROP COLUMN "dueAt", DROP COLUMN "leaseId", DROP COLUMN "leasedUntil", DROP COLUMN "crashes";
ALTER TABLE "ActionBatch" DROP COLUMN "dueAt", DROP COLUMN "leaseId", DROP COLUMN "leasedUntil", DROP COLUMN "crashes";
