-- What the user decides about suggestions, so that it is learned from (docs/decisions/047).
ALTER TABLE "ActionHistory"
    -- The sender of the email, as in CachedMessage; only of decisions about suggestions, and where the email was cached.
    ADD COLUMN "senderKey" BYTEA,
    ADD COLUMN "suggestedAction" TEXT GENERATED ALWAYS AS ("details"->'suggestions'->0->>'action') STORED,
    ADD COLUMN "confidence" FLOAT8 GENERATED ALWAYS AS (("details"->'suggestions'->0->>'confidence_score')::float8) STORED,
    -- What the suggestion was called when the user decided.
    ADD COLUMN "acceptance" FLOAT8 GENERATED ALWAYS AS (("details"->'suggestions'->0->>'acceptance')::float8) STORED;

CREATE INDEX "ActionHistory_senderKey_idx" ON "ActionHistory"("userId", "senderKey") WHERE "senderKey" IS NOT NULL;
CREATE INDEX "ActionHistory_called_idx"
    ON "ActionHistory"("userId", "emailId" COLLATE "C", "timestamp" DESC, "id" DESC)
    INCLUDE ("action", "undoneAt", "classification", "acceptance")
    WHERE "acceptance" IS NOT NULL AND "action" IN ('accept', 'reject');

-- Decisions by sender and kind of suggestion. The last decision about an email counts.
CREATE TABLE "SenderAcceptance" (
    "userId" UUID NOT NULL,
    "senderKey" BYTEA NOT NULL,
    "action" TEXT NOT NULL,
    "classification" TEXT NOT NULL,
    "decided" INTEGER NOT NULL,
    "accepted" INTEGER NOT NULL,
    "confidence" FLOAT8 NOT NULL,

    CONSTRAINT "SenderAcceptance_pkey" PRIMARY KEY ("userId","senderKey","action","classification")
) WITH (fillfactor = 70);

CREATE TABLE "StoppedSuggestion" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "senderKey" BYTEA NOT NULL,
    "action" TEXT NOT NULL,
    "stoppedAt" TIMESTAMPTZ(3),
    "allowedAt" TIMESTAMPTZ(3),

    CONSTRAINT "StoppedSuggestion_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "StoppedSuggestion_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "StoppedSuggestion_userId_senderKey_action_key"
    ON "StoppedSuggestion"("userId", "senderKey", "action");

-- Counts the decisions about the senders of the changed rows again. An acceptance that was undone is a decision that was
-- not accepted; a rejection that was undone is none. Three rejections in a row, of different emails, end the suggestions
-- of an action for a sender; what was undone, and what came before the user allowed them again, is not in the row.
CREATE FUNCTION "learnDecisions"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM "changed" WHERE "senderKey" IS NOT NULL) THEN RETURN NULL; END IF;

  WITH touched AS MATERIALIZED (
    SELECT DISTINCT "userId", "senderKey" FROM "changed" WHERE "senderKey" IS NOT NULL
  ), decision AS MATERIALIZED (
    SELECT DISTINCT ON (record."userId", record."senderKey", record."suggestedAction", record."emailId" COLLATE "C")
      record."userId", record."senderKey", record."suggestedAction" AS "action", record."classification",
      record."confidence", record."timestamp", record."id", record."undoneAt" IS NULL AS "isStanding",
      record."action" = 'accept' AND record."undoneAt" IS NULL AS "isAccepted"
    FROM touched JOIN "ActionHistory" AS record
      ON record."userId" = touched."userId" AND record."senderKey" = touched."senderKey"
    WHERE record."action" = 'accept' OR record."undoneAt" IS NULL
    ORDER BY record."userId", record."senderKey", record."suggestedAction", record."emailId" COLLATE "C",
      record."timestamp" DESC, record."id" DESC
  ), counted AS (
    SELECT "userId", "senderKey", "action", "classification", count(*) AS "decided",
      count(*) FILTER (WHERE "isAccepted") AS "accepted", sum("confidence") AS "confidence"
    FROM decision GROUP BY 1, 2, 3, 4
  ), gone AS (
    DELETE FROM "SenderAcceptance" AS known USING touched
    WHERE known."userId" = touched."userId" AND known."senderKey" = touched."senderKey" AND NOT EXISTS (
      SELECT FROM counted WHERE counted."userId" = known."userId" AND counted."senderKey" = known."senderKey"
        AND counted."action" = known."action" AND counted."classification" = known."classification")
  ), stored AS (
    INSERT INTO "SenderAcceptance" AS known
      ("userId", "senderKey", "action", "classification", "decided", "accepted", "confidence")
    SELECT "userId", "senderKey", "action", "classification", "decided", "accepted", "confidence" FROM counted
    ORDER BY 1, 2, 3, 4
    ON CONFLICT ("userId", "senderKey", "action", "classification") DO UPDATE
      SET "decided" = excluded."decided", "accepted" = excluded."accepted", "confidence" = excluded."confidence"
  ), latest AS (
    SELECT decision.*, row_number() OVER (
      PARTITION BY decision."userId", decision."senderKey", decision."action"
      ORDER BY decision."timestamp" DESC, decision."id" DESC) AS "place"
    FROM decision LEFT JOIN "StoppedSuggestion" AS known
      ON known."userId" = decision."userId" AND known."senderKey" = decision."senderKey"
      AND known."action" = decision."action"
    WHERE decision."isStanding" AND (known."allowedAt" IS NULL OR decision."timestamp" > known."allowedAt")
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

CREATE FUNCTION "truncateDecisions"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE "SenderAcceptance", "StoppedSuggestion";
  RETURN NULL;
END $$;

-- After the triggers that drop rows of erased users and that keep the counts: by their names.
CREATE TRIGGER "learnInsert" AFTER INSERT ON "ActionHistory"
  REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "learnDecisions"();
CREATE TRIGGER "learnUpdate" AFTER UPDATE ON "ActionHistory"
  REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "learnDecisions"();
CREATE TRIGGER "learnDelete" AFTER DELETE ON "ActionHistory"
  REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "learnDecisions"();
CREATE TRIGGER "learnTruncate" AFTER TRUNCATE ON "ActionHistory"
  FOR EACH STATEMENT EXECUTE FUNCTION "truncateDecisions"();

-- What was decided before counts, too, where the email is cached.
UPDATE "ActionHistory" AS record SET "senderKey" = message."senderKey"
FROM "CachedMessage" AS message
WHERE message."userId" = record."userId" AND message."emailId" = record."emailId"
  AND record."action" IN ('accept', 'reject') AND record."source" = 'suggestions'
  AND record."suggestedAction" IS NOT NULL;
