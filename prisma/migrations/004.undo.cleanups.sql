DROP TABLE "CleanupEmail", "Cleanup";
