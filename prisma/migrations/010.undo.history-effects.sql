DROP INDEX "ActionHistory_decided_idx";
DROP INDEX "ActionHistory_cleaned_idx";
ALTER TABLE "ActionHistory" DROP COLUMN "effect", DROP COLUMN "classification", DROP COLUMN "source";
