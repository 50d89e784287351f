DROP TRIGGER "learnInsert" ON "ActionHistory";
DROP TRIGGER "learnUpdate" ON "ActionHistory";
DROP TRIGGER "learnDelete" ON "ActionHistory";
DROP TRIGGER "learnTruncate" ON "ActionHistory";
DROP FUNCTION "learnDecisions"(), "truncateDecisions"();
DROP TABLE "StoppedSuggestion", "SenderAcceptance";
DROP INDEX "ActionHistory_called_idx", "ActionHistory_senderKey_idx";
ALTER TABLE "ActionHistory" DROP COLUMN "acceptance", DROP COLUMN "confidence", DROP COLUMN "suggestedAction",
    DROP COLUMN "senderKey";
