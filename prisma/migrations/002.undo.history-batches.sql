ALTER TABLE "ActionHistory" DROP COLUMN "batchId";
DROP TABLE "ActionBatch";
