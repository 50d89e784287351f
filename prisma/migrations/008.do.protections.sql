CREATE TABLE "Protection" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "senderKey" BYTEA NOT NULL,
    "formerKey" BYTEA,
    "encryptedSender" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Protection_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Protection_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "Protection_userId_senderKey_key" ON "Protection"("userId", "senderKey");

-- Overviews ask of every message whether it is protected.
ALTER TABLE "CachedMessage"
    ADD COLUMN "isStarred" BOOLEAN NOT NULL GENERATED ALWAYS AS (coalesce('STARRED' = ANY("labels"), false)) STORED,
    ADD COLUMN "isImportant" BOOLEAN NOT NULL GENERATED ALWAYS AS (coalesce('IMPORTANT' = ANY("labels"), false)) STORED;

DROP INDEX "CachedMessage_userId_senderKey_idx";
CREATE INDEX "CachedMessage_userId_senderKey_idx" ON "CachedMessage"("userId", "senderKey")
    INCLUDE ("generation", "isHidden", "isInInbox", "isUnread", "isStarred", "isImportant", "receivedAt", "sizeBytes",
        "emailId", "threadId");
-- The conversations in which the user has written.
CREATE INDEX "CachedMessage_sent_idx" ON "CachedMessage"("userId", "threadId") WHERE 'SENT' = ANY("labels");
