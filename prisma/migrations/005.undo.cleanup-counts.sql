ALTER TABLE "Cleanup" DROP COLUMN "plannedActions", DROP COLUMN "changedActions", DROP COLUMN "changedBytes";
