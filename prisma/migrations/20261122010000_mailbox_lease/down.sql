DROP TABLE "MailboxLease";
DROP INDEX "ActionIntent_userId_idx";
