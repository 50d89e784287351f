CREATE TABLE "User" (
    "id" UUID NOT NULL,
    "providerSubject" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "User_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "User_providerSubject_key" ON "User"("providerSubject");

CREATE TABLE "MailboxSync" (
    "userId" UUID NOT NULL,
    "historyId" DECIMAL(39,0) NOT NULL,
    "overlapHistoryId" DECIMAL(39,0),
    "nextOverlapHistoryId" DECIMAL(39,0),
    "nextOverlapAt" TIMESTAMPTZ(3),
    "generation" INTEGER NOT NULL DEFAULT 1,
    "syncedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "MailboxSync_pkey" PRIMARY KEY ("userId"),
    CONSTRAINT "MailboxSync_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "CachedMessage" (
    "userId" UUID NOT NULL,
    "emailId" TEXT NOT NULL,
    "threadId" TEXT,
    "generation" INTEGER NOT NULL,
    "historyId" DECIMAL(39,0) NOT NULL,
    "notedAt" DECIMAL(39,0),
    "labels" TEXT[],
    "receivedAt" TIMESTAMPTZ(3) NOT NULL,
    "sizeBytes" BIGINT NOT NULL,
    "attachmentCount" INTEGER NOT NULL,
    "attachmentBytes" BIGINT NOT NULL,
    "senderKey" BYTEA NOT NULL,
    "encryptedText" TEXT NOT NULL,
    -- What overviews ask of the labels of every message in a mailbox. An index cannot hold the labels themselves: their
    -- number is not bounded, the size of an index row is. Hidden are spam, trash, chats and what the user wrote.
    "isHidden" BOOLEAN NOT NULL
        GENERATED ALWAYS AS (coalesce("labels" && ARRAY['SPAM', 'TRASH', 'SENT', 'DRAFT', 'CHAT'], false)) STORED,
    "isInInbox" BOOLEAN NOT NULL GENERATED ALWAYS AS (coalesce('INBOX' = ANY("labels"), false)) STORED,
    "isUnread" BOOLEAN NOT NULL GENERATED ALWAYS AS (coalesce('UNREAD' = ANY("labels"), false)) STORED,

    CONSTRAINT "CachedMessage_pkey" PRIMARY KEY ("userId","emailId"),
    CONSTRAINT "CachedMessage_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Overviews read this index alone: a sixth of the pages of the table, which also holds the encrypted texts.
CREATE INDEX "CachedMessage_userId_senderKey_idx" ON "CachedMessage"("userId", "senderKey")
    INCLUDE ("generation", "isHidden", "isInInbox", "isUnread", "receivedAt", "sizeBytes", "emailId");

CREATE TABLE "MailboxScan" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "scope" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "pageToken" TEXT,
    "pages" INTEGER NOT NULL DEFAULT 0,
    "restarts" INTEGER NOT NULL DEFAULT 0,
    "scanned" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER NOT NULL DEFAULT 0,
    "suggested" INTEGER NOT NULL DEFAULT 0,
    "unclassified" INTEGER NOT NULL DEFAULT 0,
    "unitsUsed" INTEGER NOT NULL DEFAULT 0,
    "actionCounts" JSONB NOT NULL DEFAULT '{}',
    "classificationCounts" JSONB NOT NULL DEFAULT '{}',
    "sampledEmailIds" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "generation" INTEGER,
    "error" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMPTZ(3),
    "progressedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "MailboxScan_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "MailboxScan_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "MailboxScan_userId_id_idx" ON "MailboxScan"("userId", "id" DESC);
-- One active scan of a user at a time.
CREATE UNIQUE INDEX "MailboxScan_active_key" ON "MailboxScan"("userId")
    WHERE "state" IN ('queued', 'running', 'waiting');

CREATE TABLE "ProviderConnection" (
    "userId" UUID NOT NULL,
    "encryptedAccessToken" TEXT NOT NULL,
    "encryptedRefreshToken" TEXT,
    "accessTokenExpiresAt" TIMESTAMPTZ(3) NOT NULL,
    "scope" TEXT NOT NULL,
    "reauthRequiredAt" TIMESTAMPTZ(3),
    "refreshLeasedUntil" TIMESTAMPTZ(3),
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ProviderConnection_pkey" PRIMARY KEY ("userId"),
    CONSTRAINT "ProviderConnection_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "Session" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "revokedAt" TIMESTAMPTZ(3),
    "lastUsedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "browser" TEXT,

    CONSTRAINT "Session_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "Session_userId_idx" ON "Session"("userId");
CREATE INDEX "Session_expiresAt_idx" ON "Session"("expiresAt");

CREATE TABLE "AuditEntry" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "event" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sessionId" UUID,
    "address" TEXT,
    "browser" TEXT,
    "details" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "AuditEntry_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "AuditEntry_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "AuditEntry_userId_at_id_idx" ON "AuditEntry"("userId", "at" DESC, "id" DESC);
CREATE INDEX "AuditEntry_at_idx" ON "AuditEntry"("at");

CREATE TABLE "ErasedUser" (
    "id" UUID NOT NULL,
    "erasedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ErasedUser_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "PendingLogin" (
    "stateHash" TEXT NOT NULL,
    "browserHash" TEXT NOT NULL,
    "nonce" TEXT NOT NULL,
    "encryptedCodeVerifier" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "asksConsent" BOOLEAN NOT NULL DEFAULT false,
    "expectedUserId" UUID,

    CONSTRAINT "PendingLogin_pkey" PRIMARY KEY ("stateHash"),
    CONSTRAINT "PendingLogin_expectedUserId_fkey" FOREIGN KEY ("expectedUserId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "PendingLogin_expiresAt_idx" ON "PendingLogin"("expiresAt");
CREATE INDEX "PendingLogin_expectedUserId_idx" ON "PendingLogin"("expectedUserId");

CREATE TABLE "EmailSuggestion" (
    "userId" UUID NOT NULL,
    "emailId" TEXT NOT NULL,
    "suggestions" JSONB NOT NULL,
    "generatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "EmailSuggestion_pkey" PRIMARY KEY ("userId","emailId")
);

CREATE TABLE "ActionIntent" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "plan" JSONB NOT NULL,
    "requestedAt" TIMESTAMPTZ(3) NOT NULL,
    "leasedUntil" TIMESTAMPTZ(3) NOT NULL,
    "idempotencyKey" TEXT,

    CONSTRAINT "ActionIntent_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "ActionIntent_leasedUntil_idx" ON "ActionIntent"("leasedUntil");
CREATE INDEX "ActionIntent_userId_idx" ON "ActionIntent"("userId");

CREATE TABLE "MailboxLease" (
    "userId" UUID NOT NULL,
    "holderId" UUID NOT NULL,
    "leasedUntil" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "MailboxLease_pkey" PRIMARY KEY ("userId")
);

CREATE TABLE "IdempotencyKey" (
    "userId" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "requestHash" TEXT NOT NULL,
    "holderId" UUID NOT NULL,
    "leasedUntil" TIMESTAMPTZ(3) NOT NULL,
    "done" JSONB NOT NULL DEFAULT '{}',
    "status" INTEGER,
    "body" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "IdempotencyKey_pkey" PRIMARY KEY ("userId","key"),
    CONSTRAINT "IdempotencyKey_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "IdempotencyKey_createdAt_idx" ON "IdempotencyKey"("createdAt");

CREATE TABLE "ActionHistory" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "emailId" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "timestamp" TIMESTAMPTZ(3) NOT NULL,
    "details" JSONB NOT NULL,
    "undoneAt" TIMESTAMPTZ(3),

    CONSTRAINT "ActionHistory_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "ActionHistory_userId_timestamp_id_idx" ON "ActionHistory"("userId", "timestamp" DESC, "id" DESC);
CREATE INDEX "ActionHistory_userId_emailId_idx" ON "ActionHistory"("userId", "emailId");

CREATE TABLE "NotificationEvent" (
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "userId" UUID NOT NULL,
    "summary" JSONB NOT NULL DEFAULT '{}',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "NotificationEvent_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "NotificationEvent_userId_createdAt_id_idx" ON "NotificationEvent"("userId", "createdAt" DESC, "id" DESC);
CREATE INDEX "NotificationEvent_userId_type_createdAt_id_idx" ON "NotificationEvent"("userId", "type", "createdAt" DESC, "id" DESC);

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

CREATE TABLE "NotificationEventDay" (
    "userId" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "NotificationEventDay_pkey" PRIMARY KEY ("userId","type","day")
) WITH (fillfactor = 70);

CREATE TABLE "NotificationRollup" (
    "userId" UUID NOT NULL,
    "start" TIMESTAMPTZ(3) NOT NULL,
    "counts" JSONB NOT NULL,

    CONSTRAINT "NotificationRollup_pkey" PRIMARY KEY ("userId","start")
) WITH (fillfactor = 70);

CREATE TABLE "NotificationDelta" (
    "id" BIGSERIAL NOT NULL,
    "userId" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "type" TEXT NOT NULL,
    "summary" JSONB NOT NULL,
    "sign" INTEGER NOT NULL,

    CONSTRAINT "NotificationDelta_pkey" PRIMARY KEY ("id")
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

CREATE INDEX "NotificationDelta_userId_idx" ON "NotificationDelta"("userId");

CREATE TABLE "OutboxEvent" (
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "userId" UUID NOT NULL,
    "payload" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "publishedAt" TIMESTAMPTZ(3),
    "webhookState" TEXT,

    CONSTRAINT "OutboxEvent_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "OutboxEvent_publishedAt_id_idx" ON "OutboxEvent"("publishedAt", "id");

-- Counts of lists and sums of summaries, which triggers update in the statements that write the rows they count
-- (docs/decisions/028). A trigger sees rows however they are written: by batches, by an erasure, by hand.
-- Rows are locked in the order of their keys, so that statements of several processes can't deadlock.

-- The UTC day of an instant.
CREATE FUNCTION "utcDay"(instant timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (instant AT TIME ZONE 'UTC')::date;

-- The beginning of the span of ten minutes in which an instant lies.
CREATE FUNCTION "rollupStart"(instant timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN date_bin('10 minutes', instant, '2000-01-01T00:00:00Z');

-- The source of a history record; empty without one.
CREATE FUNCTION "sourceOfAction"(details jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(details ->> 'source', '');

-- A number of an event's summary; 0 where there is none.
CREATE FUNCTION "summaryNumber"(summary jsonb, field text) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(summary -> field) = 'number' THEN (summary ->> field)::numeric ELSE 0 END;

-- What one event adds to a summary, each under the kind of count and, after a colon, a name. Rollups and the query of
-- the summary share it, so that both count alike.
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

-- Adds the log to the rollups: one per span of ten minutes, and one of all time, which starts at -infinity. Entries
-- that another process has locked are left to it. With owners, only their entries.
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
    -- Inline, because as a function this would cost several times as much.
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

-- The same for events by type. Rollups are updated later: what changed goes to the log.
CREATE FUNCTION "countNotificationEvents"() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE FUNCTION "truncateNotificationEventCounts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE "NotificationEventDay", "NotificationRollup", "NotificationDelta";
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

CREATE TRIGGER "keepCountsInsert" AFTER INSERT ON "NotificationEvent"
  REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "countNotificationEvents"('1');
CREATE TRIGGER "keepCountsUpdateNew" AFTER UPDATE ON "NotificationEvent"
  REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "countNotificationEvents"('1');
CREATE TRIGGER "keepCountsUpdateOld" AFTER UPDATE ON "NotificationEvent"
  REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "countNotificationEvents"('-1');
CREATE TRIGGER "keepCountsDelete" AFTER DELETE ON "NotificationEvent"
  REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "countNotificationEvents"('-1');
CREATE TRIGGER "keepCountsTruncate" AFTER TRUNCATE ON "NotificationEvent"
  FOR EACH STATEMENT EXECUTE FUNCTION "truncateNotificationEventCounts"();

-- Deletes rows that are inserted for a user who was erased meanwhile (docs/decisions/019). Every table with a column
-- "userId" and no foreign key to "User" needs the trigger. The lock makes an insert in flight and an erasure wait for
-- each other, so that one of the two sees what the other wrote.
CREATE FUNCTION "dropRowsOfErasedUsers"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended("userId"::text, 1))
  FROM (SELECT DISTINCT "userId" FROM "inserted") AS "owners";
  IF EXISTS (SELECT FROM "inserted" JOIN "ErasedUser" ON "ErasedUser"."id" = "inserted"."userId") THEN
    EXECUTE format(
      'DELETE FROM %I.%I WHERE "userId" IN (SELECT "id" FROM "ErasedUser" WHERE "id" IN (SELECT "userId" FROM "inserted"))',
      TG_TABLE_SCHEMA, TG_TABLE_NAME);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "dropRowsOfErasedUsers" AFTER INSERT ON "EmailSuggestion"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "dropRowsOfErasedUsers"();
CREATE TRIGGER "dropRowsOfErasedUsers" AFTER INSERT ON "ActionIntent"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "dropRowsOfErasedUsers"();
CREATE TRIGGER "dropRowsOfErasedUsers" AFTER INSERT ON "ActionHistory"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "dropRowsOfErasedUsers"();
CREATE TRIGGER "dropRowsOfErasedUsers" AFTER INSERT ON "NotificationEvent"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "dropRowsOfErasedUsers"();
CREATE TRIGGER "dropRowsOfErasedUsers" AFTER INSERT ON "OutboxEvent"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "dropRowsOfErasedUsers"();
CREATE TRIGGER "dropRowsOfErasedUsers" AFTER INSERT ON "MailboxLease"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "dropRowsOfErasedUsers"();

-- Replaces the suggestions shown for emails; an email without suggestions loses its row. One call per user at a time,
-- because two that delete and insert the same rows could deadlock. A function is one round trip, and each of its
-- statements sees what was committed while it waited for the lock.
CREATE FUNCTION "storeSuggestions"("owner" uuid, "shown" jsonb, "shownAt" timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended("owner"::text, 0));

  DELETE FROM "EmailSuggestion"
  WHERE "userId" = "owner" AND "emailId" IN (
    SELECT "id" FROM jsonb_to_recordset("shown") AS email("id" text, "suggestions" jsonb)
    WHERE "suggestions" = '[]');

  INSERT INTO "EmailSuggestion" ("userId", "emailId", "suggestions", "generatedAt")
  SELECT "owner", "id", "suggestions", "shownAt"
  FROM jsonb_to_recordset("shown") AS email("id" text, "suggestions" jsonb)
  WHERE "suggestions" <> '[]'
  ON CONFLICT ("userId", "emailId")
  DO UPDATE SET "suggestions" = excluded."suggestions", "generatedAt" = excluded."generatedAt";
END $$;
