ALTER TABLE "UserPreferences"
    ADD COLUMN "historyRetentionDays" INTEGER,
    ADD COLUMN "labelNames" JSONB NOT NULL DEFAULT '{}';
