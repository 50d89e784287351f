ALTER TABLE "AuditEntry" DROP COLUMN "tokenId";
DROP TABLE "PersonalToken";
