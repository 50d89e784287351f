DROP INDEX "CachedMessage_userId_senderKey_idx";
CREATE INDEX "CachedMessage_userId_senderKey_idx" ON "CachedMessage"("userId", "senderKey");
ALTER TABLE "CachedMessage" DROP COLUMN "isHidden", DROP COLUMN "isInInbox", DROP COLUMN "isUnread";

-- Rows with sender keys of both kinds must not be mixed.
TRUNCATE "CachedMessage";
UPDATE "MailboxSync" SET "generation" = "generation" + 1;
