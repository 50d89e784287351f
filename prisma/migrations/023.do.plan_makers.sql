-- expand
-- Plans of one maker no longer push out those of another: the user, and each of their tokens.
ALTER TABLE "Cleanup" ADD COLUMN "plannedBy" UUID;
