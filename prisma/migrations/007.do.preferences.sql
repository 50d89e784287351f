CREATE TABLE "UserPreferences" (
    "userId" UUID NOT NULL,
    "watchEnabled" BOOLEAN NOT NULL DEFAULT false,
    "watchEveryMinutes" INTEGER NOT NULL DEFAULT 15,
    "timeZone" TEXT,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "UserPreferences_pkey" PRIMARY KEY ("userId"),
    CONSTRAINT "UserPreferences_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
