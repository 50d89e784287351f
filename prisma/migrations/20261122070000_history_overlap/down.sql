ALTER TABLE "MailboxSync"
  DROP COLUMN "overlapHistoryId", DROP COLUMN "nextOverlapHistoryId", DROP COLUMN "nextOverlapAt";
