-- expand
-- Snoozed and scheduled emails, as the provider's search told them last: no label does.
ALTER TABLE "MailboxSync" ADD COLUMN "setAsideIds" TEXT[] NOT NULL DEFAULT '{}';
