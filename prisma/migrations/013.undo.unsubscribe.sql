DROP TABLE "Unsubscribe";
DROP INDEX "CachedMessage_unsubscribe_idx";
ALTER TABLE "CachedMessage" DROP COLUMN "hasUnsubscribe";
