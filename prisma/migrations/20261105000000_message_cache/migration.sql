-- CreateTable
CREATE TABLE "MailboxSync" (
    "userId" UUID NOT NULL,
    "historyId" DECIMAL(39,0) NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "syncedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "MailboxSync_pkey" PRIMARY KEY ("userId")
);

-- CreateTable
CREATE TABLE "CachedMessage" (
    "userId" UUID NOT NULL,
    "emailId" TEXT NOT NULL,
    "generation" INTEGER NOT NULL,
    "historyId" DECIMAL(39,0) NOT NULL,
    "labels" TEXT[],
    "receivedAt" TIMESTAMPTZ(3) NOT NULL,
    "sizeBytes" BIGINT NOT NULL,
    "attachmentCount" INTEGER NOT NULL,
    "attachmentBytes" BIGINT NOT NULL,
    "senderKey" BYTEA NOT NULL,
    "encryptedText" TEXT NOT NULL,

    CONSTRAINT "CachedMessage_pkey" PRIMARY KEY ("userId","emailId")
);

-- CreateIndex
CREATE INDEX "CachedMessage_userId_senderKey_idx" ON "CachedMessage"("userId", "senderKey");

-- AddForeignKey
ALTER TABLE "MailboxSync" ADD CONSTRAINT "MailboxSync_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CachedMessage" ADD CONSTRAINT "CachedMessage_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
