-- AlterTable
ALTER TABLE "ProviderConnection" ADD COLUMN "refreshLeasedUntil" TIMESTAMPTZ(3);
