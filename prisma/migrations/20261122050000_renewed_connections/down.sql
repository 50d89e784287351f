ALTER TABLE "PendingLogin" DROP COLUMN "expectedUserId", DROP COLUMN "asksConsent";
