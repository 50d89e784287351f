-- expand
-- Mailboxes whose provider tells states instead of a history, and what a plan knew of its emails' labels
-- (docs/decisions/070).
ALTER TABLE "MailboxSync" ADD COLUMN "state" TEXT;
ALTER TABLE "CleanupEmail" ADD COLUMN "labels" TEXT[];
