ALTER TABLE "CachedMessage" DROP COLUMN "failsDmarc", DROP COLUMN "hasSignedUnsubscribe";
-- The version before reads again what this one has cached.
UPDATE "MailboxSync" SET "generation" = "generation" + 1;
