ALTER TABLE "CachedMessage" DROP COLUMN "unshownLabels", ADD COLUMN "notedAt" DECIMAL(39,0);
