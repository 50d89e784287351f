DROP TABLE "MailboxScan";
