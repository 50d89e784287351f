-- The version before this one would take these connections for Gmail's, and send their tokens there.
UPDATE "ProviderConnection" SET "reauthRequiredAt" = now() WHERE "provider" <> 'gmail' AND "reauthRequiredAt" IS NULL;
DELETE FROM "PendingLogin" WHERE "provider" <> 'gmail';
ALTER TABLE "PendingLogin" DROP COLUMN "provider";
ALTER TABLE "ProviderConnection" DROP COLUMN "provider", DROP COLUMN "accountId";
