-- Nobody writes to the log any more; what is in it becomes part of the rollups.
LOCK TABLE "NotificationEvent" IN SHARE ROW EXCLUSIVE MODE;
SELECT "addUpNotificationDeltas"();

-- The sums of two objects of counts, name by name. A name whose sum is 0 is left out.
CREATE FUNCTION "addCounts"(a jsonb, b jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
  SELECT coalesce(jsonb_object_agg(summed.key, summed.total), '{}')
  FROM (
    SELECT entry.key, sum(entry.value::numeric) AS total
    FROM (SELECT * FROM jsonb_each(a) UNION ALL SELECT * FROM jsonb_each(b)) AS entry
    GROUP BY entry.key HAVING sum(entry.value::numeric) <> 0
  ) AS summed
);

-- The functions as they were before.
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

CREATE OR REPLACE FUNCTION "forgetNotificationEventCounts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE "NotificationEventDay", "NotificationEventSpan", "NotificationRollup";
  RETURN NULL;
END $$;

DROP FUNCTION "addUpNotificationDeltas"(uuid[]);
DROP TABLE "NotificationDelta";
