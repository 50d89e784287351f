-- Tokens whose cleanups their user confirms, and which of them asks (docs/decisions/058).
ALTER TABLE "PersonalToken" ADD COLUMN "requiresConfirmation" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Cleanup" ADD COLUMN "askedBy" TEXT;
