-- The functions as they were before.
CREATE OR REPLACE FUNCTION "countActionHistory"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "ActionHistoryDay" AS known ("userId", "day", "count")
  SELECT "userId", "utcDay"("timestamp"), TG_ARGV[0]::int * count(*) FROM "changed" GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT ("userId", "day") DO UPDATE SET "count" = known."count" + excluded."count";

  DELETE FROM "ActionHistoryDay" AS known
  USING (SELECT DISTINCT "userId", "utcDay"("timestamp") AS "day" FROM "changed") AS touched
  WHERE known."userId" = touched."userId" AND known."day" = touched."day" AND known."count" = 0;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "countNotificationEvents"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "NotificationEventDay" AS known ("userId", "type", "day", "count")
  SELECT "userId", "type", "utcDay"("createdAt"), TG_ARGV[0]::int * count(*) FROM "changed"
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT ("userId", "type", "day") DO UPDATE SET "count" = known."count" + excluded."count";

  DELETE FROM "NotificationEventDay" AS known
  USING (SELECT DISTINCT "userId", "type", "utcDay"("createdAt") AS "day" FROM "changed") AS touched
  WHERE known."userId" = touched."userId" AND known."type" = touched."type" AND known."day" = touched."day"
    AND known."count" = 0;

  INSERT INTO "NotificationRollup" AS known ("userId", "start", "counts")
  SELECT "userId", "start", jsonb_object_agg("name", TG_ARGV[0]::int * "count") FILTER (WHERE "count" <> 0)
  FROM (
    SELECT "userId", coalesce("rollupStart"("createdAt"), '-infinity') AS "start", "name", sum("count") AS "count"
    FROM "changed" CROSS JOIN LATERAL "countsOfEvent"("type", "summary")
    GROUP BY GROUPING SETS (("userId", "rollupStart"("createdAt"), "name"), ("userId", "name"))
  ) AS summed
  GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT ("userId", "start") DO UPDATE SET "counts" = "addCounts"(known."counts", excluded."counts");

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
  TRUNCATE "ActionHistoryDay";
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "forgetNotificationEventCounts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE "NotificationEventDay", "NotificationRollup";
  RETURN NULL;
END $$;

DROP TABLE "NotificationEventSpan";
DROP TABLE "ActionHistorySpan";
