ALTER TABLE "MailboxSync"
  ADD COLUMN "overlapHistoryId" DECIMAL(39,0),
  ADD COLUMN "nextOverlapHistoryId" DECIMAL(39,0),
  ADD COLUMN "nextOverlapAt" TIMESTAMPTZ(3);
