-- Emails of each cleanup by action, planned and changed, and the size of those that were changed.
ALTER TABLE "Cleanup"
    ADD COLUMN "plannedActions" JSONB NOT NULL DEFAULT '{}',
    ADD COLUMN "changedActions" JSONB NOT NULL DEFAULT '{}',
    ADD COLUMN "changedBytes" BIGINT NOT NULL DEFAULT 0;

WITH counted AS (
    SELECT cleanup."id", CASE cleanup."action" WHEN 'accept' THEN email."suggestions"->0->>'action' ELSE cleanup."action" END AS "action",
        count(*) AS "planned", count(*) FILTER (WHERE email."outcome" = 'changed') AS "changed",
        sum(message."sizeBytes") FILTER (WHERE email."outcome" = 'changed') AS "bytes"
    FROM "Cleanup" AS cleanup
    JOIN "CleanupEmail" AS email ON email."cleanupId" = cleanup."id"
    LEFT JOIN "CachedMessage" AS message
        ON message."userId" = email."userId" AND message."emailId" = email."emailId"
    GROUP BY 1, 2
), summed AS (
    SELECT "id", jsonb_object_agg("action", "planned") AS "plannedActions",
        coalesce(jsonb_object_agg("action", "changed") FILTER (WHERE "changed" > 0), '{}') AS "changedActions",
        coalesce(sum("bytes"), 0) AS "changedBytes"
    FROM counted WHERE "action" IS NOT NULL GROUP BY "id"
)
UPDATE "Cleanup" AS cleanup SET "plannedActions" = summed."plannedActions",
    "changedActions" = summed."changedActions", "changedBytes" = summed."changedBytes"
FROM summed WHERE summed."id" = cleanup."id";
