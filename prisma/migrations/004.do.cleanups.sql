CREATE TABLE "Cleanup" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "batchId" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "label" TEXT,
    "selection" JSONB NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'planned',
    "total" INTEGER NOT NULL,
    "isComplete" BOOLEAN NOT NULL,
    "sizeBytes" BIGINT NOT NULL,
    "sizeKnown" INTEGER NOT NULL,
    "excluded" JSONB NOT NULL DEFAULT '{}',
    "historyId" TEXT NOT NULL,
    "overlapHistoryId" TEXT NOT NULL,
    "steps" INTEGER NOT NULL DEFAULT 0,
    "changed" INTEGER NOT NULL DEFAULT 0,
    "unchanged" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "startedAt" TIMESTAMPTZ(3),
    "progressedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Cleanup_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Cleanup_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "Cleanup_userId_id_idx" ON "Cleanup"("userId", "id" DESC);

CREATE TABLE "CleanupEmail" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "cleanupId" UUID NOT NULL,
    "emailId" TEXT NOT NULL,
    "threadId" TEXT,
    "suggestions" JSONB,
    "outcome" TEXT,
    "reason" TEXT,

    CONSTRAINT "CleanupEmail_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "CleanupEmail_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "CleanupEmail_cleanupId_fkey" FOREIGN KEY ("cleanupId")
        REFERENCES "Cleanup"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "CleanupEmail_cleanupId_id_idx" ON "CleanupEmail"("cleanupId", "id");
-- Export and erasure read the rows of a user.
CREATE INDEX "CleanupEmail_userId_id_idx" ON "CleanupEmail"("userId", "id");
