DROP TABLE "AuthorizationRequest";
ALTER TABLE "PersonalToken" DROP COLUMN "audience", DROP COLUMN "clientId";
