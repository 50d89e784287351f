-- The names by which senders of cached messages may be protected: domains, and other spellings of an address. Messages
-- that are cached already get theirs when a name is protected.
CREATE TABLE "SenderName" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "userId" UUID NOT NULL,
    "senderKey" BYTEA NOT NULL,
    "nameKey" BYTEA NOT NULL,

    CONSTRAINT "SenderName_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "SenderName_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "SenderName_userId_nameKey_senderKey_key" ON "SenderName"("userId", "nameKey", "senderKey");
