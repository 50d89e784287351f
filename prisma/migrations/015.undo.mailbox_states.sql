ALTER TABLE "MailboxSync" DROP COLUMN "state";
ALTER TABLE "CleanupEmail" DROP COLUMN "labels";
