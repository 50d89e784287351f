-- Nobody could confirm these.
DELETE FROM "Cleanup" WHERE "state" = 'awaiting_confirmation';
ALTER TABLE "Cleanup" DROP COLUMN "askedBy";
ALTER TABLE "PersonalToken" DROP COLUMN "requiresConfirmation";
