-- Lists count their rows when they are asked for (docs/decisions/028). Summaries keep their rollups.
DROP TRIGGER "keepCountsInsert" ON "ActionHistory";
DROP TRIGGER "keepCountsUpdateNew" ON "ActionHistory";
DROP TRIGGER "keepCountsUpdateOld" ON "ActionHistory";
DROP TRIGGER "keepCountsDelete" ON "ActionHistory";
DROP TRIGGER "keepCountsTruncate" ON "ActionHistory";

-- Adds what changed to the log, from which the rollups are updated later: the trigger's argument is 1 or -1.
CREATE OR REPLACE FUNCTION "countNotificationEvents"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  "isDue" boolean;
BEGIN
  WITH added AS (
    -- Only what is counted, and nothing from emails.
    INSERT INTO "NotificationDelta" ("userId", "createdAt", "type", "summary", "sign")
    SELECT "userId", "createdAt", "type",
      CASE WHEN jsonb_typeof("summary") = 'object' THEN "summary" - 'sampledEmails' ELSE '{}' END, TG_ARGV[0]::int
    FROM "changed"
    RETURNING "id"
  )
  SELECT bool_or("id" % 500 = 0) INTO "isDue" FROM added;

  -- At once, so that nothing about an erased user stays in the log: rows that are inserted for one are subtracted before
  -- they are added. Rollups of others stay unlocked, as an erasure can take a while.
  IF TG_ARGV[0]::int < 0 OR EXISTS (SELECT FROM "changed" JOIN "ErasedUser" ON "ErasedUser"."id" = "changed"."userId") THEN
    PERFORM "addUpNotificationDeltas"((SELECT array_agg(DISTINCT "userId") FROM "changed"));
  ELSIF "isDue" THEN
    PERFORM "addUpNotificationDeltas"();
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "truncateNotificationEventCounts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE "NotificationRollup", "NotificationDelta";
  RETURN NULL;
END $$;

DROP FUNCTION "countActionHistory", "truncateActionHistoryCounts", "sourceOfAction", "utcDay";
DROP TABLE "ActionHistoryTotal", "ActionHistoryDay", "NotificationEventDay";

-- Counts and pages read this index alone, with their filters.
DROP INDEX "ActionHistory_userId_timestamp_id_idx";
CREATE INDEX "ActionHistory_userId_timestamp_id_idx"
    ON "ActionHistory"("userId", "timestamp" DESC, "id" DESC) INCLUDE ("action", "source");

-- An index alone tells what is on pages that a vacuum has seen; the default waits for a fifth of the table.
ALTER TABLE "ActionHistory" SET (autovacuum_vacuum_insert_scale_factor = 0.02);
ALTER TABLE "NotificationEvent" SET (autovacuum_vacuum_insert_scale_factor = 0.02);
