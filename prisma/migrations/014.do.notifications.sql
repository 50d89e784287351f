ALTER TABLE "UserPreferences"
    ADD COLUMN "notifications" JSONB NOT NULL DEFAULT '{}',
    ADD COLUMN "digestDueAt" TIMESTAMPTZ(3),
    ADD COLUMN "digestSince" TIMESTAMPTZ(3);

CREATE INDEX "UserPreferences_digestDueAt_idx" ON "UserPreferences"("digestDueAt");

CREATE TABLE "Notification" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "encryptedContent" TEXT,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "dueAt" TIMESTAMPTZ(3) NOT NULL,
    "isHeld" BOOLEAN NOT NULL DEFAULT false,
    "bundleId" UUID,
    "runId" UUID,
    "leasedUntil" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "sentTo" TEXT[] NOT NULL DEFAULT '{}',
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "endedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Notification_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Notification_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "Notification_userId_key_key" ON "Notification"("userId", "key");
CREATE INDEX "Notification_due_idx" ON "Notification"("dueAt") WHERE "state" = 'pending';
CREATE INDEX "Notification_createdAt_idx" ON "Notification"("createdAt");

CREATE TABLE "PushSubscription" (
    "id" TEXT NOT NULL,
    "userId" UUID NOT NULL,
    "encryptedSubscription" TEXT NOT NULL,
    "browser" TEXT,
    "language" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "PushSubscription_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "PushSubscription_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "PushSubscription_userId_idx" ON "PushSubscription"("userId");
