-- expand
-- A connection that only reads: what would change the mailbox is refused before anything is written.
ALTER TABLE "ProviderConnection" ADD COLUMN "canChange" BOOLEAN NOT NULL DEFAULT true;
