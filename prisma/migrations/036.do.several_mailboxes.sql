-- expand
-- A person may have several mailboxes (docs/decisions/072): each stays a user, and an owner holds them together.
CREATE TABLE "Owner" (
    "id" UUID NOT NULL,
    "lastNumber" INTEGER NOT NULL DEFAULT 1,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "Owner_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "User"
    ADD COLUMN "ownerId" UUID,
    ADD COLUMN "mailboxNumber" INTEGER,
    ADD COLUMN "mailboxPosition" INTEGER,
    ADD COLUMN "mailboxName" TEXT,
    ADD CONSTRAINT "User_ownerId_fkey" FOREIGN KEY ("ownerId") REFERENCES "Owner"("id") ON DELETE SET NULL ON UPDATE CASCADE;
CREATE UNIQUE INDEX "User_ownerId_mailboxNumber_key" ON "User"("ownerId", "mailboxNumber");

ALTER TABLE "Session" ADD COLUMN "ownerId" UUID;
ALTER TABLE "PersonalToken" ADD COLUMN "ownerId" UUID;
ALTER TABLE "AuthorizationRequest" ADD COLUMN "allMailboxes" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "PendingLogin" ADD COLUMN "sessionId" UUID;
