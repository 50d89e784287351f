ALTER TABLE "MailboxWatch" RENAME COLUMN "leaseId" TO "runId";
ALTER TABLE "MailboxWatch" DROP COLUMN "crashes";
ALTER TABLE "Unsubscribe" DROP COLUMN "leaseId", DROP COLUMN "crashes";
ALTER TABLE "Notification" RENAME COLUMN "leaseId" TO "runId";
ALTER TABLE "Notification" DROP COLUMN "crashes";
ALTER TABLE "UserPreferences" DROP COLUMN "leaseId", DROP COLUMN "leasedUntil", DROP COLUMN "crashes";
