-- expand
ALTER TABLE "CachedMessage"
    -- Whether the user's mail server found that the message did not come from the domain that it names (DMARC).
    ADD COLUMN "failsDmarc" BOOLEAN NOT NULL DEFAULT false,
    -- Whether a good signature of the author's domain covers how to unsubscribe.
    ADD COLUMN "hasSignedUnsubscribe" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "CachedMessage_failsDmarc_idx" ON "CachedMessage"("userId", "emailId") WHERE "failsDmarc";
CREATE INDEX "CachedMessage_signedUnsubscribe_idx" ON "CachedMessage"("userId", "senderKey", "receivedAt" DESC)
    WHERE "hasSignedUnsubscribe";

-- Messages are fetched once more, since senders are read in another way (docs/decisions/021): whatever is cached is of an
-- older generation. Overviews show it until then.
UPDATE "MailboxSync" SET "generation" = "generation" + 1;
