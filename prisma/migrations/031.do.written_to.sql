-- expand
-- The addresses that users have written to, and the mailing lists of messages (docs/decisions/044). Messages that are cached
-- already say nothing of either: what the user sent is read again.
CREATE TABLE "WrittenTo" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "userId" UUID NOT NULL,
    "senderKey" BYTEA NOT NULL,
    "formerKey" BYTEA,
    "encryptedSender" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "WrittenTo_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "WrittenTo_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "WrittenTo_userId_senderKey_key" ON "WrittenTo"("userId", "senderKey");
ALTER TABLE "CachedMessage" ADD COLUMN "listKey" BYTEA;
