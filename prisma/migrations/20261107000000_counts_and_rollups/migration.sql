-- Counts of lists and sums of summaries, kept by triggers in the statements that write the rows they count
-- (docs/decisions/028). A trigger sees rows however they are written: by batches, by an erasure, by hand.
-- Rows are always locked in the order of their keys, so that statements of several processes can't deadlock.

-- CreateTable
CREATE TABLE "ActionHistoryDay" (
    "userId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "ActionHistoryDay_pkey" PRIMARY KEY ("userId","day")
) WITH (fillfactor = 70);

-- CreateTable
CREATE TABLE "NotificationEventDay" (
    "userId" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "NotificationEventDay_pkey" PRIMARY KEY ("userId","type","day")
) WITH (fillfactor = 70);

-- CreateTable
CREATE TABLE "NotificationRollup" (
    "userId" UUID NOT NULL,
    "start" TIMESTAMPTZ(3) NOT NULL,
    "counts" JSONB NOT NULL,

    CONSTRAINT "NotificationRollup_pkey" PRIMARY KEY ("userId","start")
) WITH (fillfactor = 70);

-- The UTC day of an instant.
CREATE FUNCTION "utcDay"(instant timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (instant AT TIME ZONE 'UTC')::date;

-- The beginning of the span of ten minutes in which an instant lies.
CREATE FUNCTION "rollupStart"(instant timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN date_bin('10 minutes', instant, '2000-01-01T00:00:00Z');

-- A number of an event's summary; 0 where there is none.
CREATE FUNCTION "summaryNumber"(summary jsonb, field text) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(summary -> field) = 'number' THEN (summary ->> field)::numeric ELSE 0 END;

-- What one event adds to a summary, each under the kind of count and, after a colon, a name. The trigger below
-- and the query of the summary share it, which keeps rollups and rows telling the same.
CREATE FUNCTION "countsOfEvent"(type text, summary jsonb) RETURNS TABLE (name text, count numeric)
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 10
BEGIN ATOMIC
  SELECT 'events', 1::numeric
  UNION ALL
  SELECT 'suggestions', "summaryNumber"(summary, 'totalSuggestions')
  UNION ALL
  SELECT 'confirmed', "summaryNumber"(summary, 'totalConfirmed')
  UNION ALL
  SELECT 'confirmedAction:' || (summary ->> 'action'), "summaryNumber"(summary, 'totalConfirmed')
  WHERE type = 'domain.suggestions.confirmed' AND summary ->> 'action' IS NOT NULL
  UNION ALL
  SELECT 'suggestedAction:' || entry.key, "summaryNumber"(summary -> 'actionCounts', entry.key)
  FROM jsonb_object_keys(CASE WHEN type = 'domain.suggestions.generated' AND jsonb_typeof(summary -> 'actionCounts') = 'object' THEN summary -> 'actionCounts' ELSE '{}' END) AS entry(key)
  UNION ALL
  SELECT 'classification:' || entry.key, "summaryNumber"(summary -> 'classificationCounts', entry.key)
  FROM jsonb_object_keys(CASE WHEN type = 'domain.suggestions.generated' AND jsonb_typeof(summary -> 'classificationCounts') = 'object' THEN summary -> 'classificationCounts' ELSE '{}' END) AS entry(key);
END;

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

-- Adds the changed rows to the counts, or takes them off: the trigger's argument is 1 or -1.
CREATE FUNCTION "countActionHistory"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "ActionHistoryDay" AS known ("userId", "day", "count")
  SELECT "userId", "utcDay"("timestamp"), TG_ARGV[0]::int * count(*) FROM "changed" GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT ("userId", "day") DO UPDATE SET "count" = known."count" + excluded."count";

  DELETE FROM "ActionHistoryDay" AS known
  USING (SELECT DISTINCT "userId", "utcDay"("timestamp") AS "day" FROM "changed") AS touched
  WHERE known."userId" = touched."userId" AND known."day" = touched."day" AND known."count" = 0;
  RETURN NULL;
END $$;

-- The same for events, by type; and for the rollups: one of each span of ten minutes, and one of all time, which
-- starts at -infinity.
CREATE FUNCTION "countNotificationEvents"() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE FUNCTION "forgetActionHistoryCounts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE "ActionHistoryDay";
  RETURN NULL;
END $$;

CREATE FUNCTION "forgetNotificationEventCounts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE "NotificationEventDay", "NotificationRollup";
  RETURN NULL;
END $$;

-- Triggers of one statement run by name.
CREATE TRIGGER "keepCountsInsert" AFTER INSERT ON "ActionHistory"
  REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "countActionHistory"('1');
CREATE TRIGGER "keepCountsUpdateNew" AFTER UPDATE ON "ActionHistory"
  REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "countActionHistory"('1');
CREATE TRIGGER "keepCountsUpdateOld" AFTER UPDATE ON "ActionHistory"
  REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "countActionHistory"('-1');
CREATE TRIGGER "keepCountsDelete" AFTER DELETE ON "ActionHistory"
  REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "countActionHistory"('-1');
CREATE TRIGGER "keepCountsTruncate" AFTER TRUNCATE ON "ActionHistory"
  FOR EACH STATEMENT EXECUTE FUNCTION "forgetActionHistoryCounts"();

CREATE TRIGGER "keepCountsInsert" AFTER INSERT ON "NotificationEvent"
  REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "countNotificationEvents"('1');
CREATE TRIGGER "keepCountsUpdateNew" AFTER UPDATE ON "NotificationEvent"
  REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "countNotificationEvents"('1');
CREATE TRIGGER "keepCountsUpdateOld" AFTER UPDATE ON "NotificationEvent"
  REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "countNotificationEvents"('-1');
CREATE TRIGGER "keepCountsDelete" AFTER DELETE ON "NotificationEvent"
  REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "countNotificationEvents"('-1');
CREATE TRIGGER "keepCountsTruncate" AFTER TRUNCATE ON "NotificationEvent"
  FOR EACH STATEMENT EXECUTE FUNCTION "forgetNotificationEventCounts"();

-- Count what is there already. The triggers hold off other writers until this is committed.
INSERT INTO "ActionHistoryDay" ("userId", "day", "count")
SELECT "userId", "utcDay"("timestamp"), count(*) FROM "ActionHistory" GROUP BY 1, 2;

INSERT INTO "NotificationEventDay" ("userId", "type", "day", "count")
SELECT "userId", "type", "utcDay"("createdAt"), count(*) FROM "NotificationEvent" GROUP BY 1, 2, 3;

INSERT INTO "NotificationRollup" ("userId", "start", "counts")
SELECT "userId", "start", jsonb_object_agg("name", "count") FILTER (WHERE "count" <> 0)
FROM (
  SELECT "userId", coalesce("rollupStart"("createdAt"), '-infinity') AS "start", "name", sum("count") AS "count"
  FROM "NotificationEvent" CROSS JOIN LATERAL "countsOfEvent"("type", "summary")
  GROUP BY GROUPING SETS (("userId", "rollupStart"("createdAt"), "name"), ("userId", "name"))
) AS summed
GROUP BY 1, 2;
