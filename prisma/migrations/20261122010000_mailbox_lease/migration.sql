-- CreateTable
CREATE TABLE "MailboxLease" (
    "userId" UUID NOT NULL,
    "holderId" UUID NOT NULL,
    "leasedUntil" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "MailboxLease_pkey" PRIMARY KEY ("userId")
);

-- CreateIndex
CREATE INDEX "ActionIntent_userId_idx" ON "ActionIntent"("userId");

CREATE TRIGGER "dropRowsOfErasedUsers" AFTER INSERT ON "MailboxLease"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "dropRowsOfErasedUsers"();
