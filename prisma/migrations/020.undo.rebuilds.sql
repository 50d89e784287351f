ALTER TABLE "MailboxSync" DROP COLUMN "isRebuilding";
