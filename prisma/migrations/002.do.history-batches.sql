-- History records that belong together because one request, or one cleanup, led to them. Its counts are written by the
-- statements that insert history records and mark them as undone (packages/core/src/history).
CREATE TABLE "ActionBatch" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "total" INTEGER NOT NULL,
    "undone" INTEGER NOT NULL DEFAULT 0,
    "undoState" TEXT,
    "undoCursor" UUID,
    "undoFailed" INTEGER NOT NULL DEFAULT 0,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ActionBatch_pkey" PRIMARY KEY ("id")
) WITH (fillfactor = 70);

CREATE INDEX "ActionBatch_userId_startedAt_id_idx" ON "ActionBatch"("userId", "startedAt" DESC, "id" DESC);

CREATE TRIGGER "dropRowsOfErasedUsers" AFTER INSERT ON "ActionBatch"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "dropRowsOfErasedUsers"();

ALTER TABLE "ActionHistory" ADD COLUMN "batchId" UUID;

-- The records of one request have always had the same time.
INSERT INTO "ActionBatch" ("id", "userId", "source", "action", "startedAt", "total", "undone")
SELECT gen_random_uuid(), "userId", "sourceOfAction"("details"), "action", "timestamp", count(*), count("undoneAt")
FROM "ActionHistory" GROUP BY "userId", "sourceOfAction"("details"), "action", "timestamp";

-- No count depends on the batch.
ALTER TABLE "ActionHistory" DISABLE TRIGGER USER;
UPDATE "ActionHistory" AS record SET "batchId" = batch."id"
FROM "ActionBatch" AS batch
WHERE batch."userId" = record."userId" AND batch."startedAt" = record."timestamp"
  AND batch."action" = record."action" AND batch."source" = "sourceOfAction"(record."details");
ALTER TABLE "ActionHistory" ENABLE TRIGGER USER;

-- An undo goes through a batch by the ids of its records.
CREATE INDEX "ActionHistory_batchId_id_idx" ON "ActionHistory"("batchId", "id");
