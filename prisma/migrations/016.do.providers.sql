-- expand
-- Several mail providers (docs/decisions/071), by the operator's keys. What the version before this one inserts is Gmail's.
ALTER TABLE "ProviderConnection"
    ADD COLUMN "provider" TEXT NOT NULL DEFAULT 'gmail',
    ADD COLUMN "accountId" TEXT;
ALTER TABLE "PendingLogin" ADD COLUMN "provider" TEXT NOT NULL DEFAULT 'gmail';
