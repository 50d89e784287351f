CREATE TABLE "MailboxWatch" (
    "userId" UUID NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'active',
    "error" TEXT,
    "dueAt" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    "runId" UUID,
    "leasedUntil" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "stoppedAt" TIMESTAMPTZ(3),
    "historyId" TEXT,
    "overlapHistoryId" TEXT,
    "seenEmailIds" TEXT[] NOT NULL DEFAULT '{}',
    "readAt" TIMESTAMPTZ(3),
    "lastRunAt" TIMESTAMPTZ(3),
    "lastNewEmails" INTEGER NOT NULL DEFAULT 0,
    "lastSuggested" INTEGER NOT NULL DEFAULT 0,
    "newEmails" INTEGER NOT NULL DEFAULT 0,
    "suggested" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "MailboxWatch_pkey" PRIMARY KEY ("userId"),
    CONSTRAINT "MailboxWatch_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "MailboxWatch_dueAt_idx" ON "MailboxWatch"("dueAt");
CREATE INDEX "MailboxWatch_stopped_idx" ON "MailboxWatch"("userId") WHERE "stoppedAt" IS NOT NULL;

-- Watches that were enabled before they were carried out.
INSERT INTO "MailboxWatch" ("userId") SELECT "userId" FROM "UserPreferences" WHERE "watchEnabled";
