-- Two more counts of history records (docs/decisions/028): totals of all time by what a list is filtered by, so that
-- a total is a sum over a handful of rows; and months, so that the day in which a deep page begins is looked for
-- among those of one month. Totals come first: two writers for one person then meet at the first row they share.

-- CreateTable
CREATE TABLE "ActionHistoryTotal" (
    "userId" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "ActionHistoryTotal_pkey" PRIMARY KEY ("userId","action","source")
) WITH (fillfactor = 70);

-- CreateTable
CREATE TABLE "ActionHistoryMonth" (
    "userId" UUID NOT NULL,
    "month" DATE NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "ActionHistoryMonth_pkey" PRIMARY KEY ("userId","month")
) WITH (fillfactor = 70);

-- Hold off other writers until this is committed.
LOCK TABLE "ActionHistory" IN SHARE ROW EXCLUSIVE MODE;

-- The first day of the UTC month of an instant.
CREATE FUNCTION "utcMonth"(instant timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN date_trunc('month', instant AT TIME ZONE 'UTC')::date;

-- Where a record says its action came from; empty where it says nothing.
CREATE FUNCTION "sourceOfAction"(details jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(details ->> 'source', '');

-- As before, with both.
CREATE OR REPLACE FUNCTION "countActionHistory"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "ActionHistoryTotal" AS known ("userId", "action", "source", "count")
  SELECT "userId", "action", "sourceOfAction"("details"), TG_ARGV[0]::int * count(*) FROM "changed"
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT ("userId", "action", "source") DO UPDATE SET "count" = known."count" + excluded."count";

  INSERT INTO "ActionHistoryMonth" AS known ("userId", "month", "count")
  SELECT "userId", "utcMonth"("timestamp"), TG_ARGV[0]::int * count(*) FROM "changed" GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT ("userId", "month") DO UPDATE SET "count" = known."count" + excluded."count";

  INSERT INTO "ActionHistoryDay" AS known ("userId", "day", "count")
  SELECT "userId", "utcDay"("timestamp"), TG_ARGV[0]::int * count(*) FROM "changed" GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT ("userId", "day") DO UPDATE SET "count" = known."count" + excluded."count";

  INSERT INTO "ActionHistorySpan" AS known ("userId", "start", "count")
  SELECT "userId", "rollupStart"("timestamp"), TG_ARGV[0]::int * count(*) FROM "changed" GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT ("userId", "start") DO UPDATE SET "count" = known."count" + excluded."count";

  DELETE FROM "ActionHistoryTotal" AS known
  USING (SELECT DISTINCT "userId", "action", "sourceOfAction"("details") AS "source" FROM "changed") AS touched
  WHERE known."userId" = touched."userId" AND known."action" = touched."action" AND known."source" = touched."source"
    AND known."count" = 0;

  DELETE FROM "ActionHistoryMonth" AS known
  USING (SELECT DISTINCT "userId", "utcMonth"("timestamp") AS "month" FROM "changed") AS touched
  WHERE known."userId" = touched."userId" AND known."month" = touched."month" AND known."count" = 0;

  DELETE FROM "ActionHistoryDay" AS known
  USING (SELECT DISTINCT "userId", "utcDay"("timestamp") AS "day" FROM "changed") AS touched
  WHERE known."userId" = touched."userId" AND known."day" = touched."day" AND known."count" = 0;

  DELETE FROM "ActionHistorySpan" AS known
  USING (SELECT DISTINCT "userId", "rollupStart"("timestamp") AS "start" FROM "changed") AS touched
  WHERE known."userId" = touched."userId" AND known."start" = touched."start" AND known."count" = 0;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "forgetActionHistoryCounts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE "ActionHistoryTotal", "ActionHistoryMonth", "ActionHistoryDay", "ActionHistorySpan";
  RETURN NULL;
END $$;

-- Count what is there already.
INSERT INTO "ActionHistoryTotal" ("userId", "action", "source", "count")
SELECT "userId", "action", "sourceOfAction"("details"), count(*) FROM "ActionHistory" GROUP BY 1, 2, 3;

INSERT INTO "ActionHistoryMonth" ("userId", "month", "count")
SELECT "userId", date_trunc('month', "day")::date, sum("count") FROM "ActionHistoryDay" GROUP BY 1, 2;
