DROP TABLE "UserPreferences";
