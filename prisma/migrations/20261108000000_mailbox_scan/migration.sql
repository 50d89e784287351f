-- CreateTable
CREATE TABLE "MailboxScan" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "scope" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "pageToken" TEXT,
    "pages" INTEGER NOT NULL DEFAULT 0,
    "restarts" INTEGER NOT NULL DEFAULT 0,
    "scanned" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER NOT NULL DEFAULT 0,
    "suggested" INTEGER NOT NULL DEFAULT 0,
    "unclassified" INTEGER NOT NULL DEFAULT 0,
    "unitsUsed" INTEGER NOT NULL DEFAULT 0,
    "actionCounts" JSONB NOT NULL DEFAULT '{}',
    "classificationCounts" JSONB NOT NULL DEFAULT '{}',
    "sampledEmailIds" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "error" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMPTZ(3),
    "progressedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "MailboxScan_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "MailboxScan_userId_id_idx" ON "MailboxScan"("userId", "id" DESC);

-- One scan of a person at a time; Prisma's schema language has no partial index.
CREATE UNIQUE INDEX "MailboxScan_active_key" ON "MailboxScan"("userId")
  WHERE "state" IN ('queued', 'running', 'waiting');

-- AddForeignKey
ALTER TABLE "MailboxScan" ADD CONSTRAINT "MailboxScan_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
