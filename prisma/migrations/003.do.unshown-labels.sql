ALTER TABLE "CachedMessage" DROP COLUMN "notedAt", ADD COLUMN "unshownLabels" JSONB NOT NULL DEFAULT '[]';
