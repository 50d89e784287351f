-- A second grain of the counts of lists (docs/decisions/028): days say in which day a page begins, spans of ten
-- minutes say where in the day. The triggers stay; what they call keeps both. Locks are taken as before, in the
-- order of tables and keys.

-- CreateTable
CREATE TABLE "ActionHistorySpan" (
    "userId" UUID NOT NULL,
    "start" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "ActionHistorySpan_pkey" PRIMARY KEY ("userId","start")
) WITH (fillfactor = 70);

-- CreateTable
CREATE TABLE "NotificationEventSpan" (
    "userId" UUID NOT NULL,
    "start" TIMESTAMPTZ(3) NOT NULL,
    "type" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "NotificationEventSpan_pkey" PRIMARY KEY ("userId","start","type")
) WITH (fillfactor = 70);

-- Hold off other writers until this is committed.
LOCK TABLE "ActionHistory", "NotificationEvent" IN SHARE ROW EXCLUSIVE MODE;

-- Adds the changed rows to the counts, or takes them off: the trigger's argument is 1 or -1. Adding too can end at
-- 0: rows of an erased person are taken off before they are added.
CREATE OR REPLACE FUNCTION "countActionHistory"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "ActionHistoryDay" AS known ("userId", "day", "count")
  SELECT "userId", "utcDay"("timestamp"), TG_ARGV[0]::int * count(*) FROM "changed" GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT ("userId", "day") DO UPDATE SET "count" = known."count" + excluded."count";

  INSERT INTO "ActionHistorySpan" AS known ("userId", "start", "count")
  SELECT "userId", "rollupStart"("timestamp"), TG_ARGV[0]::int * count(*) FROM "changed" GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT ("userId", "start") DO UPDATE SET "count" = known."count" + excluded."count";

  DELETE FROM "ActionHistoryDay" AS known
  USING (SELECT DISTINCT "userId", "utcDay"("timestamp") AS "day" FROM "changed") AS touched
  WHERE known."userId" = touched."userId" AND known."day" = touched."day" AND known."count" = 0;

  DELETE FROM "ActionHistorySpan" AS known
  USING (SELECT DISTINCT "userId", "rollupStart"("timestamp") AS "start" FROM "changed") AS touched
  WHERE known."userId" = touched."userId" AND known."start" = touched."start" AND known."count" = 0;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "countNotificationEvents"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "NotificationEventDay" AS known ("userId", "type", "day", "count")
  SELECT "userId", "type", "utcDay"("createdAt"), TG_ARGV[0]::int * count(*) FROM "changed"
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT ("userId", "type", "day") DO UPDATE SET "count" = known."count" + excluded."count";

  INSERT INTO "NotificationEventSpan" AS known ("userId", "start", "type", "count")
  SELECT "userId", "rollupStart"("createdAt"), "type", TG_ARGV[0]::int * count(*) FROM "changed"
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT ("userId", "start", "type") DO UPDATE SET "count" = known."count" + excluded."count";

  INSERT INTO "NotificationRollup" AS known ("userId", "start", "counts")
  SELECT "userId", "start", jsonb_object_agg("name", TG_ARGV[0]::int * "count") FILTER (WHERE "count" <> 0)
  FROM (
    SELECT "userId", coalesce("rollupStart"("createdAt"), '-infinity') AS "start", "name", sum("count") AS "count"
    FROM "changed" CROSS JOIN LATERAL "countsOfEvent"("type", "summary")
    GROUP BY GROUPING SETS (("userId", "rollupStart"("createdAt"), "name"), ("userId", "name"))
  ) AS summed
  GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT ("userId", "start") DO UPDATE SET "counts" = "addCounts"(known."counts", excluded."counts");

  DELETE FROM "NotificationEventDay" AS known
  USING (SELECT DISTINCT "userId", "type", "utcDay"("createdAt") AS "day" FROM "changed") AS touched
  WHERE known."userId" = touched."userId" AND known."type" = touched."type" AND known."day" = touched."day"
    AND known."count" = 0;

  DELETE FROM "NotificationEventSpan" AS known
  USING (SELECT DISTINCT "userId", "rollupStart"("createdAt") AS "start", "type" FROM "changed") AS touched
  WHERE known."userId" = touched."userId" AND known."start" = touched."start" AND known."type" = touched."type"
    AND known."count" = 0;

  DELETE FROM "NotificationRollup" AS known
  USING (
    SELECT "userId", "rollupStart"("createdAt") AS "start" FROM "changed"
    UNION
    SELECT "userId", '-infinity' FROM "changed"
  ) AS touched
  WHERE known."userId" = touched."userId" AND known."start" = touched."start" AND known."counts" = '{}';
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "forgetActionHistoryCounts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE "ActionHistoryDay", "ActionHistorySpan";
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "forgetNotificationEventCounts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE "NotificationEventDay", "NotificationEventSpan", "NotificationRollup";
  RETURN NULL;
END $$;

-- Count what is there already.
INSERT INTO "ActionHistorySpan" ("userId", "start", "count")
SELECT "userId", "rollupStart"("timestamp"), count(*) FROM "ActionHistory" GROUP BY 1, 2;

INSERT INTO "NotificationEventSpan" ("userId", "start", "type", "count")
SELECT "userId", "rollupStart"("createdAt"), "type", count(*) FROM "NotificationEvent" GROUP BY 1, 2, 3;
