-- expand
-- Counts of a mailbox by lists of ids alone, before a scan has read it (docs/decisions/030).
CREATE TABLE "MailboxSurvey" (
    "userId" UUID NOT NULL,
    -- The scan that makes it.
    "scanId" UUID NOT NULL,
    "total" INTEGER NOT NULL,
    -- By category and age, of the ages that were listed.
    "counts" JSONB NOT NULL DEFAULT '[]',
    -- Emails of no listed sender; null until all ages were listed.
    "unlisted" INTEGER,
    "unitsUsed" INTEGER NOT NULL DEFAULT 0,
    -- When a cleanup or an undo last changed the mailbox.
    "cleanedAt" TIMESTAMPTZ(3),
    -- When its lists were begun.
    "startedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "MailboxSurvey_pkey" PRIMARY KEY ("userId"),
    CONSTRAINT "MailboxSurvey_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- The emails of a sender as the provider lists them. The sender is that of a cached message: no address is stored.
CREATE TABLE "SurveyedSender" (
    "userId" UUID NOT NULL,
    "emailId" TEXT NOT NULL,
    "mails" INTEGER NOT NULL,
    "inInbox" INTEGER NOT NULL,
    "unread" INTEGER NOT NULL,
    "olderThanYear" INTEGER NOT NULL,

    CONSTRAINT "SurveyedSender_pkey" PRIMARY KEY ("userId", "emailId"),
    CONSTRAINT "SurveyedSender_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
