-- expand
-- Which process listens to a provider for new email of a watched mailbox (docs/decisions/074).
ALTER TABLE "MailboxWatch" ADD COLUMN "listenerId" UUID, ADD COLUMN "listenedUntil" TIMESTAMPTZ(3);
