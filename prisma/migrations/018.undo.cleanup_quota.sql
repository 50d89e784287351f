ALTER TABLE "Cleanup" DROP COLUMN "quotaUnits";
