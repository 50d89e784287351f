ALTER TABLE "PersonalToken"
    DROP COLUMN "renewableDays", DROP COLUMN "accessExpiresAt", DROP COLUMN "familyHash", DROP COLUMN "refreshHash";
ALTER TABLE "AuthorizationRequest" DROP COLUMN "renews";
