ALTER TABLE "ProviderConnection" DROP COLUMN "refreshLeasedUntil";
