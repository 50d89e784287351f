DROP TABLE "PushSubscription";
DROP TABLE "Notification";
ALTER TABLE "UserPreferences" DROP COLUMN "digestSince", DROP COLUMN "digestDueAt", DROP COLUMN "notifications";
