-- Programs that a user lets act for them get a token for one audience (docs/decisions/059).
ALTER TABLE "PersonalToken"
    ADD COLUMN "audience" TEXT NOT NULL DEFAULT 'api',
    ADD COLUMN "clientId" TEXT;

CREATE TABLE "AuthorizationRequest" (
    "id" UUID NOT NULL,
    "clientId" TEXT NOT NULL,
    "clientName" TEXT NOT NULL,
    "redirectUri" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "codeChallenge" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "userId" UUID,
    "sessionId" UUID,
    "expiresInDays" INTEGER,
    "requiresConfirmation" BOOLEAN NOT NULL DEFAULT true,
    "codeHash" BYTEA,
    "usedAt" TIMESTAMPTZ(3),
    "tokenId" UUID,

    CONSTRAINT "AuthorizationRequest_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "AuthorizationRequest_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "AuthorizationRequest_codeHash_key" ON "AuthorizationRequest"("codeHash");
CREATE INDEX "AuthorizationRequest_userId_idx" ON "AuthorizationRequest"("userId");
CREATE INDEX "AuthorizationRequest_expiresAt_idx" ON "AuthorizationRequest"("expiresAt");
