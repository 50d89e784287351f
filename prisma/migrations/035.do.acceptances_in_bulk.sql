-- expand
-- Acceptances of several senders at once, which the user has hardly read: they count less (docs/LEARNING.md). Which of the
-- earlier ones were of this kind is not known; those count as before.
ALTER TABLE "ActionHistory" ADD COLUMN "isInBulk" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "SenderAcceptance" ADD COLUMN "inBulk" INTEGER NOT NULL DEFAULT 0;

CREATE OR REPLACE FUNCTION "learnDecisions"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM "changed" WHERE "senderKey" IS NOT NULL) THEN RETURN NULL; END IF;

  WITH touched AS MATERIALIZED (
    SELECT DISTINCT "userId", "senderKey" FROM "changed" WHERE "senderKey" IS NOT NULL
  ), decision AS MATERIALIZED (
    SELECT DISTINCT ON (record."userId", record."senderKey", record."suggestedAction", record."emailId" COLLATE "C")
      record."userId", record."senderKey", record."suggestedAction" AS "action", record."classification",
      record."confidence", record."timestamp", record."id", record."batchId",
      record."action" = 'accept' AS "isAccepted", record."action" = 'accept' AND record."isInBulk" AS "isInBulk"
    FROM touched JOIN "ActionHistory" AS record
      ON record."userId" = touched."userId" AND record."senderKey" = touched."senderKey"
    WHERE record."undoneAt" IS NULL
    ORDER BY record."userId", record."senderKey", record."suggestedAction", record."emailId" COLLATE "C",
      record."timestamp" DESC, record."id" DESC
  ), counted AS (
    SELECT "userId", "senderKey", "action", "classification", sum("weight")::int AS "decided",
      coalesce(sum("weight") FILTER (WHERE "isAccepted"), 0)::int AS "accepted",
      (count(*) FILTER (WHERE "isInBulk"))::int AS "inBulk", sum("weight" * "confidence") AS "confidence",
      max("timestamp") AS "decidedAt"
    FROM (
      SELECT "userId", "senderKey", "action", "classification", "isAccepted", avg("confidence") AS "confidence",
        bool_or("isInBulk") AS "isInBulk", max("timestamp") AS "timestamp",
        CASE WHEN "isAccepted" THEN 1 ELSE count(*) END AS "weight"
      FROM decision GROUP BY 1, 2, 3, 4, 5, "batchId"
    ) AS request GROUP BY 1, 2, 3, 4
  ), gone AS (
    DELETE FROM "SenderAcceptance" AS known USING touched
    WHERE known."userId" = touched."userId" AND known."senderKey" = touched."senderKey" AND NOT EXISTS (
      SELECT FROM counted WHERE counted."userId" = known."userId" AND counted."senderKey" = known."senderKey"
        AND counted."action" = known."action" AND counted."classification" = known."classification")
  ), stored AS (
    INSERT INTO "SenderAcceptance" AS known
      ("userId", "senderKey", "action", "classification", "decided", "accepted", "inBulk", "confidence", "decidedAt")
    SELECT "userId", "senderKey", "action", "classification", "decided", "accepted", "inBulk", "confidence", "decidedAt"
    FROM counted
    ORDER BY 1, 2, 3, 4
    ON CONFLICT ("userId", "senderKey", "action", "classification") DO UPDATE
      SET "decided" = excluded."decided", "accepted" = excluded."accepted", "inBulk" = excluded."inBulk",
        "confidence" = excluded."confidence", "decidedAt" = excluded."decidedAt"
  ), latest AS (
    SELECT decision.*, row_number() OVER (
      PARTITION BY decision."userId", decision."senderKey", decision."action"
      ORDER BY decision."timestamp" DESC, decision."id" DESC) AS "place"
    FROM decision LEFT JOIN "StoppedSuggestion" AS known
      ON known."userId" = decision."userId" AND known."senderKey" = decision."senderKey"
      AND known."action" = decision."action"
    WHERE known."allowedAt" IS NULL OR decision."timestamp" > known."allowedAt"
  ), rejected AS (
    SELECT "userId", "senderKey", "action", max("timestamp") AS "stoppedAt" FROM latest
    WHERE "place" <= 3 GROUP BY 1, 2, 3 HAVING count(*) = 3 AND NOT bool_or("isAccepted")
  ), resumed AS (
    UPDATE "StoppedSuggestion" AS known SET "stoppedAt" = NULL FROM touched
    WHERE known."userId" = touched."userId" AND known."senderKey" = touched."senderKey"
      AND known."stoppedAt" IS NOT NULL AND NOT EXISTS (
        SELECT FROM rejected WHERE rejected."userId" = known."userId" AND rejected."senderKey" = known."senderKey"
          AND rejected."action" = known."action")
  )
  INSERT INTO "StoppedSuggestion" AS known ("id", "userId", "senderKey", "action", "stoppedAt")
  SELECT gen_random_uuid(), "userId", "senderKey", "action", "stoppedAt" FROM rejected ORDER BY 2, 3, 4
  ON CONFLICT ("userId", "senderKey", "action") DO UPDATE SET "stoppedAt" = excluded."stoppedAt"
    WHERE known."stoppedAt" IS NULL;
  RETURN NULL;
END $$;
