-- AlterTable
ALTER TABLE "MailboxScan" ADD COLUMN "generation" INTEGER;
