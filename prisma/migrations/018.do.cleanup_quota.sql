-- expand
-- Mailboxes without quota units have plans that take none (docs/decisions/070). What the version before this one inserts
-- has no value, and is Gmail's.
ALTER TABLE "Cleanup" ADD COLUMN "quotaUnits" INTEGER;
