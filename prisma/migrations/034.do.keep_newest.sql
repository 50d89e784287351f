-- expand
-- Rules that leave the newest emails of each sender alone (docs/decisions/046).
ALTER TABLE "Rule" ADD COLUMN "keepNewest" INTEGER;
