-- Emails that were read before have nothing here until they are read again.
ALTER TABLE "CachedMessage" ADD COLUMN "hasUnsubscribe" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "CachedMessage_unsubscribe_idx" ON "CachedMessage"("userId", "senderKey", "receivedAt" DESC)
    WHERE "hasUnsubscribe";

CREATE TABLE "Unsubscribe" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "senderKey" BYTEA NOT NULL,
    "encryptedRequest" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "error" TEXT,
    "status" INTEGER,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "dueAt" TIMESTAMPTZ(3),
    "leasedUntil" TIMESTAMPTZ(3),
    "requestedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "reachedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Unsubscribe_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Unsubscribe_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "Unsubscribe_userId_senderKey_key" ON "Unsubscribe"("userId", "senderKey");
CREATE INDEX "Unsubscribe_dueAt_idx" ON "Unsubscribe"("dueAt") WHERE "state" = 'requested';
