-- Watches, requests to unsubscribe, notifications and digests are claimed like scans, cleanups and undos
-- (docs/decisions/052). What is due stays due; what a process is working on is claimed once its lease is over.
ALTER TABLE "MailboxWatch" RENAME COLUMN "runId" TO "leaseId";
ALTER TABLE "MailboxWatch" ADD COLUMN "crashes" INTEGER NOT NULL DEFAULT 0;

ALTER TABLE "Unsubscribe" ADD COLUMN "leaseId" UUID, ADD COLUMN "crashes" INTEGER NOT NULL DEFAULT 0;

ALTER TABLE "Notification" RENAME COLUMN "runId" TO "leaseId";
ALTER TABLE "Notification" ADD COLUMN "crashes" INTEGER NOT NULL DEFAULT 0;

ALTER TABLE "UserPreferences"
  ADD COLUMN "leaseId" UUID,
  ADD COLUMN "leasedUntil" TIMESTAMPTZ(3),
  ADD COLUMN "crashes" INTEGER NOT NULL DEFAULT 0;
