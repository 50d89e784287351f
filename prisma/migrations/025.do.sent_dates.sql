-- expand
-- When an email says that it was sent, where that is more than a day from when it was received.
ALTER TABLE "CachedMessage" ADD COLUMN "sentAt" TIMESTAMPTZ(3);
