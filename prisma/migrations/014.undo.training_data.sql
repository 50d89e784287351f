ALTER TABLE "UserPreferences"
    DROP COLUMN "trainingDataSince",
    DROP COLUMN "trainingDataSender",
    DROP COLUMN "trainingDataSubject";
