DROP INDEX "CachedMessage_sent_idx", "CachedMessage_userId_senderKey_idx";
CREATE INDEX "CachedMessage_userId_senderKey_idx" ON "CachedMessage"("userId", "senderKey")
    INCLUDE ("generation", "isHidden", "isInInbox", "isUnread", "receivedAt", "sizeBytes", "emailId");
ALTER TABLE "CachedMessage" DROP COLUMN "isStarred", DROP COLUMN "isImportant";
DROP TABLE "Protection";
