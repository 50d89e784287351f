-- expand
-- Decisions as training data, where the user has enabled it (docs/decisions/069).
ALTER TABLE "UserPreferences"
    ADD COLUMN "trainingDataSince" TIMESTAMPTZ(3),
    ADD COLUMN "trainingDataSender" TEXT NOT NULL DEFAULT 'domain',
    ADD COLUMN "trainingDataSubject" TEXT NOT NULL DEFAULT 'omitted';
