ALTER TABLE "ProviderConnection" DROP COLUMN "canChange";
