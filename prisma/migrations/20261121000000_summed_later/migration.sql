-- Rollups are summed later (docs/decisions/028): what a statement changes is appended to a log, which every 500th
-- entry adds to the rollups in one go. Rollups and log together are what the events add up to, in every snapshot.
-- Rollups that are there already stay as they are; the log begins empty.

-- CreateTable
CREATE TABLE "NotificationDelta" (
    "id" BIGSERIAL NOT NULL,
    "userId" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "type" TEXT NOT NULL,
    "summary" JSONB NOT NULL,
    "sign" INTEGER NOT NULL,

    CONSTRAINT "NotificationDelta_pkey" PRIMARY KEY ("id")
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- CreateIndex
CREATE INDEX "NotificationDelta_userId_idx" ON "NotificationDelta"("userId");

-- Hold off other writers until this is committed.
LOCK TABLE "NotificationEvent" IN SHARE ROW EXCLUSIVE MODE;

-- Adds the log to the rollups: one of each span of ten minutes, and one of all time, which starts at -infinity.
-- Entries that another process is just adding are left to it; rollups are locked in the order of their keys. With
-- owners, only theirs.
CREATE FUNCTION "addUpNotificationDeltas"("owners" uuid[] DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  "emptied" record;
BEGIN
  WITH taken AS (
    DELETE FROM "NotificationDelta"
    WHERE "id" IN (
      SELECT "id" FROM "NotificationDelta" WHERE "owners" IS NULL OR "userId" = ANY("owners") FOR UPDATE SKIP LOCKED
    )
    RETURNING "userId", "createdAt", "type", "summary", "sign"
  ), summed AS (
    SELECT "userId", coalesce("rollupStart"("createdAt"), '-infinity') AS "start", "name", sum("sign" * "count") AS "count"
    FROM taken CROSS JOIN LATERAL "countsOfEvent"("type", "summary")
    GROUP BY GROUPING SETS (("userId", "rollupStart"("createdAt"), "name"), ("userId", "name"))
  ), merged AS (
    INSERT INTO "NotificationRollup" AS known ("userId", "start", "counts")
    SELECT "userId", "start", jsonb_object_agg("name", "count") FROM summed WHERE "count" <> 0
    GROUP BY 1, 2 ORDER BY 1, 2
    -- Not in a function: one that asks a query costs several times what the query does.
    ON CONFLICT ("userId", "start") DO UPDATE SET "counts" = (
      SELECT coalesce(jsonb_object_agg(total.key, total.value), '{}')
      FROM (
        SELECT entry.key, sum(entry.value::numeric) AS value
        FROM (SELECT * FROM jsonb_each(known."counts") UNION ALL SELECT * FROM jsonb_each(excluded."counts")) AS entry
        GROUP BY entry.key HAVING sum(entry.value::numeric) <> 0
      ) AS total
    )
    RETURNING "userId", "start", "counts"
  )
  SELECT array_agg("userId") AS "userIds", array_agg("start") AS "starts" INTO "emptied"
  FROM merged WHERE "counts" = '{}';

  IF "emptied"."userIds" IS NOT NULL THEN
    DELETE FROM "NotificationRollup" AS known
    USING unnest("emptied"."userIds", "emptied"."starts") AS gone ("userId", "start")
    WHERE known."userId" = gone."userId" AND known."start" = gone."start" AND known."counts" = '{}';
  END IF;
END $$;

-- Adds the changed rows to the counts, or takes them off: the trigger's argument is 1 or -1. Adding too can end at
-- 0: rows of an erased person are taken off before they are added.
CREATE OR REPLACE FUNCTION "countNotificationEvents"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  "isEmptied" boolean;
  "isDue" boolean;
BEGIN
  WITH kept AS (
    INSERT INTO "NotificationEventDay" AS known ("userId", "type", "day", "count")
    SELECT "userId", "type", "utcDay"("createdAt"), TG_ARGV[0]::int * count(*) FROM "changed"
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT ("userId", "type", "day") DO UPDATE SET "count" = known."count" + excluded."count"
    RETURNING "count"
  )
  SELECT bool_or(TG_ARGV[0]::int < 0 OR "count" = 0) INTO "isEmptied" FROM kept;

  INSERT INTO "NotificationEventSpan" AS known ("userId", "start", "type", "count")
  SELECT "userId", "rollupStart"("createdAt"), "type", TG_ARGV[0]::int * count(*) FROM "changed"
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT ("userId", "start", "type") DO UPDATE SET "count" = known."count" + excluded."count";

  WITH added AS (
    -- Nothing that is not counted, above all nothing of any mail.
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

    DELETE FROM "NotificationEventSpan" AS known
    USING (SELECT DISTINCT "userId", "rollupStart"("createdAt") AS "start", "type" FROM "changed") AS touched
    WHERE known."userId" = touched."userId" AND known."start" = touched."start" AND known."type" = touched."type"
      AND known."count" = 0;

    -- What goes goes at once: nothing of an erased person waits in the log. Rollups of others are left alone, as an
    -- erasure may go on for a while.
    PERFORM "addUpNotificationDeltas"((SELECT array_agg(DISTINCT "userId") FROM "changed"));
  ELSIF "isDue" THEN
    PERFORM "addUpNotificationDeltas"();
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "forgetNotificationEventCounts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE "NotificationEventDay", "NotificationEventSpan", "NotificationRollup", "NotificationDelta";
  RETURN NULL;
END $$;

DROP FUNCTION "addCounts"(jsonb, jsonb);
