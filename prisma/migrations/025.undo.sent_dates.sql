ALTER TABLE "CachedMessage" DROP COLUMN "sentAt";
