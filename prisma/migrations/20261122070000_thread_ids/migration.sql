-- Null in rows of before: such a message is fetched again when it is listed.
ALTER TABLE "CachedMessage" ADD COLUMN "threadId" TEXT;
