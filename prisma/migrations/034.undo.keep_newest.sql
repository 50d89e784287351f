ALTER TABLE "Rule" DROP COLUMN "keepNewest";
