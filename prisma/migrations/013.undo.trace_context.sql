ALTER TABLE "OutboxEvent" DROP COLUMN "traceParent";
ALTER TABLE "MailboxScan" DROP COLUMN "traceParent";
ALTER TABLE "Cleanup" DROP COLUMN "traceParent";
ALTER TABLE "ActionBatch" DROP COLUMN "traceParent";
ALTER TABLE "MailboxWatch" DROP COLUMN "traceParent";
ALTER TABLE "Unsubscribe" DROP COLUMN "traceParent";
ALTER TABLE "Notification" DROP COLUMN "traceParent";
