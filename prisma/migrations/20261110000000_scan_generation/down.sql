ALTER TABLE "MailboxScan" DROP COLUMN "generation";
