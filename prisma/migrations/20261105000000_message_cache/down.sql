DROP TABLE "CachedMessage", "MailboxSync";
