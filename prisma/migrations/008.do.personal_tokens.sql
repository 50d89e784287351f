-- Personal access tokens (docs/decisions/053), and which of them an audit entry came from.
CREATE TABLE "PersonalToken" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "name" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3),

    CONSTRAINT "PersonalToken_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "PersonalToken_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "PersonalToken_hash_key" ON "PersonalToken"("hash");
CREATE INDEX "PersonalToken_userId_idx" ON "PersonalToken"("userId");
CREATE INDEX "PersonalToken_expiresAt_idx" ON "PersonalToken"("expiresAt");

ALTER TABLE "AuditEntry" ADD COLUMN "tokenId" UUID;
