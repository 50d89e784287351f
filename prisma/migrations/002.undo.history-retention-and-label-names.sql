ALTER TABLE "UserPreferences"
    DROP COLUMN "historyRetentionDays",
    DROP COLUMN "labelNames";
