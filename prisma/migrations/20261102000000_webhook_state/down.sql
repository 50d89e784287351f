ALTER TABLE "OutboxEvent" DROP COLUMN "webhookState";
