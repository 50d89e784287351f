-- AlterTable
ALTER TABLE "OutboxEvent" ADD COLUMN "webhookState" TEXT;
