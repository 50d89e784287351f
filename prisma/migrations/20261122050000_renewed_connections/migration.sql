ALTER TABLE "PendingLogin" ADD COLUMN "asksConsent" BOOLEAN NOT NULL DEFAULT false, ADD COLUMN "expectedUserId" UUID;

CREATE INDEX "PendingLogin_expectedUserId_idx" ON "PendingLogin"("expectedUserId");

ALTER TABLE "PendingLogin" ADD CONSTRAINT "PendingLogin_expectedUserId_fkey" FOREIGN KEY ("expectedUserId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
