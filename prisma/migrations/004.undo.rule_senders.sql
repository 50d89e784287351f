ALTER TABLE "Rule"
    ADD COLUMN "senderKey" BYTEA, ADD COLUMN "formerKey" BYTEA, ADD COLUMN "encryptedSender" TEXT,
    ADD COLUMN "classification" TEXT;

-- Of several senders and classifications only one remains. Such a rule is no longer what the user enabled.
UPDATE "Rule" AS rule SET "enabled" = false, "dueAt" = NULL
WHERE (SELECT count(*) FROM "RuleSender" WHERE "ruleId" = rule."id") + cardinality("classifications") > 1;
UPDATE "Rule" AS rule SET "senderKey" = sender."senderKey", "formerKey" = sender."formerKey",
    "encryptedSender" = sender."encryptedSender", "minConfidence" = NULL
FROM (SELECT DISTINCT ON ("ruleId") * FROM "RuleSender" ORDER BY "ruleId", "id") AS sender
WHERE sender."ruleId" = rule."id";
UPDATE "Rule" SET "classification" = "classifications"[1] WHERE "senderKey" IS NULL;

ALTER TABLE "Rule" DROP COLUMN "classifications", ADD CONSTRAINT "Rule_condition_check" CHECK (
    ("senderKey" IS NULL) = ("encryptedSender" IS NULL) AND ("classification" IS NULL) = ("minConfidence" IS NULL)
    AND ("senderKey" IS NULL) <> ("classification" IS NULL));
DROP TABLE "RuleSender";
