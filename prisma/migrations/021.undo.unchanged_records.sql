ALTER TABLE "ActionBatch" DROP COLUMN "unchanged";
