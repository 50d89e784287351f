CREATE TABLE "Rule" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "senderKey" BYTEA,
    "formerKey" BYTEA,
    "encryptedSender" TEXT,
    "classification" TEXT,
    "minConfidence" DOUBLE PRECISION,
    "olderThan" INTEGER NOT NULL,
    "action" TEXT NOT NULL,
    "label" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT false,
    "pausedReason" TEXT,
    "pausedAt" TIMESTAMPTZ(3),
    "dueAt" TIMESTAMPTZ(3),
    "checkedAt" TIMESTAMPTZ(3),
    "countedFrom" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "runs" INTEGER NOT NULL DEFAULT 0,
    "lastRunAt" TIMESTAMPTZ(3),
    "lastCleanupId" UUID,
    "lastBatchId" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Rule_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Rule_condition_check" CHECK (
        ("senderKey" IS NULL) = ("encryptedSender" IS NULL) AND ("classification" IS NULL) = ("minConfidence" IS NULL)
        AND ("senderKey" IS NULL) <> ("classification" IS NULL)),
    CONSTRAINT "Rule_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "Rule_userId_id_idx" ON "Rule"("userId", "id" DESC);

-- What a rule did stays, also once the rule is deleted: so there is no foreign key.
ALTER TABLE "Cleanup" ADD COLUMN "ruleId" UUID;
CREATE INDEX "Cleanup_ruleId_idx" ON "Cleanup"("ruleId") WHERE "ruleId" IS NOT NULL;
ALTER TABLE "ActionBatch" ADD COLUMN "ruleId" UUID;
CREATE INDEX "ActionBatch_ruleId_startedAt_id_idx" ON "ActionBatch"("ruleId", "startedAt" DESC, "id" DESC)
    WHERE "ruleId" IS NOT NULL;
