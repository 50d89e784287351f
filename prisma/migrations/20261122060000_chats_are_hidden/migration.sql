-- Chats are no mail: like drafts, they belong in no overview.
DROP INDEX "CachedMessage_userId_senderKey_idx";
ALTER TABLE "CachedMessage" DROP COLUMN "isHidden";
ALTER TABLE "CachedMessage" ADD COLUMN "isHidden" BOOLEAN NOT NULL
  GENERATED ALWAYS AS (coalesce("labels" && ARRAY['SPAM', 'TRASH', 'SENT', 'DRAFT', 'CHAT'], false)) STORED;
CREATE INDEX "CachedMessage_userId_senderKey_idx" ON "CachedMessage"("userId", "senderKey")
  INCLUDE ("generation", "isHidden", "isInInbox", "isUnread", "receivedAt", "sizeBytes", "emailId");
