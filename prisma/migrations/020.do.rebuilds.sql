-- expand
-- Whether labels of cached messages are still to be read again, since Gmail no longer had the history (docs/decisions/021).
ALTER TABLE "MailboxSync" ADD COLUMN "isRebuilding" BOOLEAN NOT NULL DEFAULT false;
