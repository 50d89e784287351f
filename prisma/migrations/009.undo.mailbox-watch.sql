DROP TABLE "MailboxWatch";
