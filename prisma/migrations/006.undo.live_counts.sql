ALTER TABLE "ActionHistory" RESET (autovacuum_vacuum_insert_scale_factor);
ALTER TABLE "NotificationEvent" RESET (autovacuum_vacuum_insert_scale_factor);

DROP INDEX "ActionHistory_userId_timestamp_id_idx";
CREATE INDEX "ActionHistory_userId_timestamp_id_idx" ON "ActionHistory"("userId", "timestamp" DESC, "id" DESC);

CREATE TABLE "ActionHistoryTotal" (
    "userId" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "ActionHistoryTotal_pkey" PRIMARY KEY ("userId","action","source")
) WITH (fillfactor = 70);

CREATE TABLE "ActionHistoryDay" (
    "userId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "ActionHistoryDay_pkey" PRIMARY KEY ("userId","day")
) WITH (fillfactor = 70);

-- The UTC day of an instant.
CREATE FUNCTION "utcDay"(instant timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (instant AT TIME ZONE 'UTC')::date;

-- The source of a history record; empty without one.
CREATE FUNCTION "sourceOfAction"(details jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(details ->> 'source', '');

-- Adds the changed rows to the counts, or subtracts them: the trigger's argument is 1 or -1. Adding can end at 0, too:
-- rows of an erased user are subtracted before they are added.
CREATE FUNCTION "countActionHistory"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "ActionHistoryTotal" AS known ("userId", "action", "source", "count")
  SELECT "userId", "action", "sourceOfAction"("details"), TG_ARGV[0]::int * count(*) FROM "changed"
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT ("userId", "action", "source") DO UPDATE SET "count" = known."count" + excluded."count";

  INSERT INTO "ActionHistoryDay" AS known ("userId", "day", "count")
  SELECT "userId", "utcDay"("timestamp"), TG_ARGV[0]::int * count(*) FROM "changed" GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT ("userId", "day") DO UPDATE SET "count" = known."count" + excluded."count";

  DELETE FROM "ActionHistoryTotal" AS known
  USING (SELECT DISTINCT "userId", "action", "sourceOfAction"("details") AS "source" FROM "changed") AS touched
  WHERE known."userId" = touched."userId" AND known."action" = touched."action" AND known."source" = touched."source"
    AND known."count" = 0;

  DELETE FROM "ActionHistoryDay" AS known
  USING (SELECT DISTINCT "userId", "utcDay"("timestamp") AS "day" FROM "changed") AS touched
  WHERE known."userId" = touched."userId" AND known."day" = touched."day" AND known."count" = 0;
  RETURN NULL;
END $$;

CREATE FUNCTION "truncateActionHistoryCounts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE "ActionHistoryTotal", "ActionHistoryDay";
  RETURN NULL;
END $$;

-- Triggers of one statement run in the order of their names.
CREATE TRIGGER "keepCountsInsert" AFTER INSERT ON "ActionHistory"
  REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "countActionHistory"('1');
CREATE TRIGGER "keepCountsUpdateNew" AFTER UPDATE ON "ActionHistory"
  REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "countActionHistory"('1');
CREATE TRIGGER "keepCountsUpdateOld" AFTER UPDATE ON "ActionHistory"
  REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "countActionHistory"('-1');
CREATE TRIGGER "keepCountsDelete" AFTER DELETE ON "ActionHistory"
  REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "countActionHistory"('-1');
CREATE TRIGGER "keepCountsTruncate" AFTER TRUNCATE ON "ActionHistory"
  FOR EACH STATEMENT EXECUTE FUNCTION "truncateActionHistoryCounts"();

CREATE TABLE "NotificationEventDay" (
    "userId" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "NotificationEventDay_pkey" PRIMARY KEY ("userId","type","day")
) WITH (fillfactor = 70);

-- As countActionHistory, for events by type. Rollups are updated later: what changed goes to the log.
CREATE OR REPLACE FUNCTION "countNotificationEvents"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  "isEmptied" boolean;
  "isDue" boolean;
BEGIN
  WITH counted AS (
    INSERT INTO "NotificationEventDay" AS known ("userId", "type", "day", "count")
    SELECT "userId", "type", "utcDay"("createdAt"), TG_ARGV[0]::int * count(*) FROM "changed"
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT ("userId", "type", "day") DO UPDATE SET "count" = known."count" + excluded."count"
    RETURNING "count"
  )
  SELECT bool_or(TG_ARGV[0]::int < 0 OR "count" = 0) INTO "isEmptied" FROM counted;

  WITH added AS (
    -- Only what is counted, and nothing from emails.
    INSERT INTO "NotificationDelta" ("userId", "createdAt", "type", "summary", "sign")
    SELECT "userId", "createdAt", "type",
      CASE WHEN jsonb_typeof("summary") = 'object' THEN "summary" - 'sampledEmails' ELSE '{}' END, TG_ARGV[0]::int
    FROM "changed"
    RETURNING "id"
  )
  SELECT bool_or("id" % 500 = 0) INTO "isDue" FROM added;

  IF "isEmptied" THEN
    DELETE FROM "NotificationEventDay" AS known
    USING (SELECT DISTINCT "userId", "type", "utcDay"("createdAt") AS "day" FROM "changed") AS touched
    WHERE known."userId" = touched."userId" AND known."type" = touched."type" AND known."day" = touched."day"
      AND known."count" = 0;

    -- At once, so that nothing about an erased user stays in the log. Rollups of others stay unlocked, as an erasure can
    -- take a while.
    PERFORM "addUpNotificationDeltas"((SELECT array_agg(DISTINCT "userId") FROM "changed"));
  ELSIF "isDue" THEN
    PERFORM "addUpNotificationDeltas"();
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "truncateNotificationEventCounts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE "NotificationEventDay", "NotificationRollup", "NotificationDelta";
  RETURN NULL;
END $$;

INSERT INTO "ActionHistoryTotal" ("userId", "action", "source", "count")
SELECT "userId", "action", "sourceOfAction"("details"), count(*) FROM "ActionHistory" GROUP BY 1, 2, 3;
INSERT INTO "ActionHistoryDay" ("userId", "day", "count")
SELECT "userId", "utcDay"("timestamp"), count(*) FROM "ActionHistory" GROUP BY 1, 2;
INSERT INTO "NotificationEventDay" ("userId", "type", "day", "count")
SELECT "userId", "type", "utcDay"("createdAt"), count(*) FROM "NotificationEvent" GROUP BY 1, 2, 3;
