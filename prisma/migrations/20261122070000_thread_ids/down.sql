ALTER TABLE "CachedMessage" DROP COLUMN "threadId";
