CREATE TABLE "InboxSize" (
    "userId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "total" INTEGER NOT NULL,
    "unread" INTEGER NOT NULL,

    CONSTRAINT "InboxSize_pkey" PRIMARY KEY ("userId", "day"),
    CONSTRAINT "InboxSize_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
