-- expand
-- Which hosts were called for a user, and how often (docs/decisions/075).
CREATE TABLE "OutgoingCall" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "userId" UUID,
    "day" DATE NOT NULL,
    "peer" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "calls" INTEGER NOT NULL,
    "bytesSent" BIGINT NOT NULL,
    "bytesReceived" BIGINT NOT NULL,
    "lastAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "OutgoingCall_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "OutgoingCall_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
-- Calls that were made for no user have one owner, too.
CREATE UNIQUE INDEX "OutgoingCall_userId_day_peer_host_key"
  ON "OutgoingCall" ("userId", "day", "peer", "host") NULLS NOT DISTINCT;
