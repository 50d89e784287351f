ALTER TABLE "MailboxWatch" DROP COLUMN "listenerId", DROP COLUMN "listenedUntil";
