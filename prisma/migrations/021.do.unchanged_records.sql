-- expand
-- A batch that changed nothing offers no undo, and an undo counts what it puts back.
ALTER TABLE "ActionBatch" ADD COLUMN "unchanged" INTEGER NOT NULL DEFAULT 0;
UPDATE "ActionBatch" AS batch SET "unchanged" = counts."unchanged", "undone" = batch."undone" - counts."undone"
FROM (
  SELECT "batchId", count(*)::int AS "unchanged", count("undoneAt")::int AS "undone" FROM "ActionHistory"
  WHERE "details"->'gmailResponse'->>'status' = 'unchanged' GROUP BY "batchId"
) AS counts WHERE counts."batchId" = batch."id";
