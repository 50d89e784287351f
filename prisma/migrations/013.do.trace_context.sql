-- expand
-- What goes on in another process goes on in the same trace (docs/decisions/061): the W3C traceparent of its origin.
ALTER TABLE "OutboxEvent" ADD COLUMN "traceParent" TEXT;
ALTER TABLE "MailboxScan" ADD COLUMN "traceParent" TEXT;
ALTER TABLE "Cleanup" ADD COLUMN "traceParent" TEXT;
ALTER TABLE "ActionBatch" ADD COLUMN "traceParent" TEXT;
ALTER TABLE "MailboxWatch" ADD COLUMN "traceParent" TEXT;
ALTER TABLE "Unsubscribe" ADD COLUMN "traceParent" TEXT;
ALTER TABLE "Notification" ADD COLUMN "traceParent" TEXT;
