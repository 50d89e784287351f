DROP INDEX "ActionBatch_ruleId_startedAt_id_idx";
ALTER TABLE "ActionBatch" DROP COLUMN "ruleId";
DROP INDEX "Cleanup_ruleId_idx";
ALTER TABLE "Cleanup" DROP COLUMN "ruleId";
DROP TABLE "Rule";
