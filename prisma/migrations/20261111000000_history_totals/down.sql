-- The functions as they were before.
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

CREATE OR REPLACE FUNCTION "forgetActionHistoryCounts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE "ActionHistoryDay", "ActionHistorySpan";
  RETURN NULL;
END $$;

DROP FUNCTION "sourceOfAction"(jsonb);
DROP FUNCTION "utcMonth"(timestamptz);
DROP TABLE "ActionHistoryMonth";
DROP TABLE "ActionHistoryTotal";
