-- expand
-- Programs that a user lets act for them may renew their token (docs/decisions/059).
ALTER TABLE "AuthorizationRequest" ADD COLUMN "renews" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "PersonalToken"
    ADD COLUMN "renewableDays" INTEGER,
    ADD COLUMN "accessExpiresAt" TIMESTAMPTZ(3),
    ADD COLUMN "familyHash" BYTEA,
    ADD COLUMN "refreshHash" BYTEA;

CREATE UNIQUE INDEX "PersonalToken_familyHash_key" ON "PersonalToken"("familyHash");
