ALTER TABLE "MailboxSync" DROP COLUMN "setAsideIds";
