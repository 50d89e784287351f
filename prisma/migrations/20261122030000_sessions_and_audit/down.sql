DROP TABLE "AuditEntry";
ALTER TABLE "Session" DROP COLUMN "browser", DROP COLUMN "lastUsedAt";
