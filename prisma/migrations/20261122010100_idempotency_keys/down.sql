DROP TABLE "IdempotencyKey";
ALTER TABLE "ActionIntent" DROP COLUMN "idempotencyKey";
