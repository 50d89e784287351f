ALTER TABLE "Cleanup" DROP COLUMN "plannedBy";
