-- A rule can name several senders and classifications.
CREATE TABLE "RuleSender" (
    "id" UUID NOT NULL,
    "ruleId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "senderKey" BYTEA NOT NULL,
    "formerKey" BYTEA,
    "encryptedSender" TEXT NOT NULL,

    CONSTRAINT "RuleSender_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "RuleSender_ruleId_fkey" FOREIGN KEY ("ruleId")
        REFERENCES "Rule"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "RuleSender_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "RuleSender_ruleId_idx" ON "RuleSender"("ruleId");
CREATE INDEX "RuleSender_userId_idx" ON "RuleSender"("userId");

INSERT INTO "RuleSender" ("id", "ruleId", "userId", "senderKey", "formerKey", "encryptedSender")
SELECT gen_random_uuid(), "id", "userId", "senderKey", "formerKey", "encryptedSender"
FROM "Rule" WHERE "senderKey" IS NOT NULL;

ALTER TABLE "Rule" DROP CONSTRAINT "Rule_condition_check", ADD COLUMN "classifications" TEXT[] NOT NULL DEFAULT '{}';
UPDATE "Rule" SET "classifications" = ARRAY["classification"] WHERE "classification" IS NOT NULL;
ALTER TABLE "Rule"
    DROP COLUMN "senderKey", DROP COLUMN "formerKey", DROP COLUMN "encryptedSender", DROP COLUMN "classification";
