-- What the columns mean is in schema.prisma; here is what that can't say, and why.

-- Users and sign-in
-- -----------------

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

CREATE TABLE "UserPreferences" (
    "userId" UUID NOT NULL,
    "watchEnabled" BOOLEAN NOT NULL DEFAULT false,
    "watchEveryMinutes" INTEGER NOT NULL DEFAULT 15,
    "timeZone" TEXT,
    "notifications" JSONB NOT NULL DEFAULT '{}',
    "digestDueAt" TIMESTAMPTZ(3),
    "digestSince" TIMESTAMPTZ(3),
    "historyRetentionDays" INTEGER,
    "labelNames" JSONB NOT NULL DEFAULT '{}',
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "UserPreferences_pkey" PRIMARY KEY ("userId"),
    CONSTRAINT "UserPreferences_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "UserPreferences_digestDueAt_idx" ON "UserPreferences"("digestDueAt");

CREATE TABLE "ErasedUser" (
    "id" UUID NOT NULL,
    "erasedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ErasedUser_pkey" PRIMARY KEY ("id")
);

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

-- The mailbox as it is cached
-- ---------------------------

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
    "labels" TEXT[],
    "unshownLabels" JSONB NOT NULL DEFAULT '[]',
    "receivedAt" TIMESTAMPTZ(3) NOT NULL,
    "sizeBytes" BIGINT NOT NULL,
    "attachmentCount" INTEGER NOT NULL,
    "attachmentBytes" BIGINT NOT NULL,
    "senderKey" BYTEA NOT NULL,
    "encryptedText" TEXT NOT NULL,
    "hasUnsubscribe" BOOLEAN NOT NULL DEFAULT false,
    "isInvitation" BOOLEAN NOT NULL DEFAULT false,
    -- What overviews ask of the labels of every message in a mailbox. An index cannot hold the labels themselves: their
    -- number is not bounded, the size of an index row is. Hidden are spam, trash, chats and what the user wrote.
    "isHidden" BOOLEAN NOT NULL
        GENERATED ALWAYS AS (coalesce("labels" && ARRAY['SPAM', 'TRASH', 'SENT', 'DRAFT', 'CHAT'], false)) STORED,
    "isInInbox" BOOLEAN NOT NULL GENERATED ALWAYS AS (coalesce('INBOX' = ANY("labels"), false)) STORED,
    "isUnread" BOOLEAN NOT NULL GENERATED ALWAYS AS (coalesce('UNREAD' = ANY("labels"), false)) STORED,
    "isStarred" BOOLEAN NOT NULL GENERATED ALWAYS AS (coalesce('STARRED' = ANY("labels"), false)) STORED,
    "isImportant" BOOLEAN NOT NULL GENERATED ALWAYS AS (coalesce('IMPORTANT' = ANY("labels"), false)) STORED,

    CONSTRAINT "CachedMessage_pkey" PRIMARY KEY ("userId","emailId"),
    CONSTRAINT "CachedMessage_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Overviews read this index alone: a sixth of the pages of the table, which also holds the encrypted texts.
CREATE INDEX "CachedMessage_userId_senderKey_idx" ON "CachedMessage"("userId", "senderKey")
    INCLUDE ("generation", "isHidden", "isInInbox", "isUnread", "isStarred", "isImportant", "isInvitation",
        "receivedAt", "sizeBytes", "emailId", "threadId");
-- The conversations in which the user has written.
CREATE INDEX "CachedMessage_sent_idx" ON "CachedMessage"("userId", "threadId") WHERE 'SENT' = ANY("labels");
CREATE INDEX "CachedMessage_unsubscribe_idx" ON "CachedMessage"("userId", "senderKey", "receivedAt" DESC)
    WHERE "hasUnsubscribe";

CREATE TABLE "InboxSize" (
    "userId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "total" INTEGER NOT NULL,
    "unread" INTEGER NOT NULL,

    CONSTRAINT "InboxSize_pkey" PRIMARY KEY ("userId", "day"),
    CONSTRAINT "InboxSize_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Senders that the user protected or unsubscribed from
-- ----------------------------------------------------

CREATE TABLE "Protection" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "senderKey" BYTEA NOT NULL,
    "formerKey" BYTEA,
    "encryptedSender" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Protection_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Protection_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "Protection_userId_senderKey_key" ON "Protection"("userId", "senderKey");

CREATE TABLE "Unsubscribe" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "senderKey" BYTEA NOT NULL,
    "encryptedRequest" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "error" TEXT,
    "status" INTEGER,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "dueAt" TIMESTAMPTZ(3),
    "leasedUntil" TIMESTAMPTZ(3),
    "requestedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "reachedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Unsubscribe_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Unsubscribe_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "Unsubscribe_userId_senderKey_key" ON "Unsubscribe"("userId", "senderKey");
CREATE INDEX "Unsubscribe_dueAt_idx" ON "Unsubscribe"("dueAt") WHERE "state" = 'requested';

-- Suggestions
-- -----------

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

CREATE TABLE "EmailSuggestion" (
    "userId" UUID NOT NULL,
    "emailId" TEXT NOT NULL,
    "suggestions" JSONB NOT NULL,
    "generatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "EmailSuggestion_pkey" PRIMARY KEY ("userId","emailId")
);

CREATE TRIGGER "dropRowsOfErasedUsers" AFTER INSERT ON "EmailSuggestion"
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

-- Actions
-- -------

CREATE TABLE "MailboxLease" (
    "userId" UUID NOT NULL,
    "holderId" UUID NOT NULL,
    "leasedUntil" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "MailboxLease_pkey" PRIMARY KEY ("userId")
);

CREATE TRIGGER "dropRowsOfErasedUsers" AFTER INSERT ON "MailboxLease"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "dropRowsOfErasedUsers"();

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

CREATE TRIGGER "dropRowsOfErasedUsers" AFTER INSERT ON "ActionIntent"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "dropRowsOfErasedUsers"();

CREATE TABLE "Cleanup" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "batchId" UUID NOT NULL,
    -- What a rule did stays, also once the rule is deleted: so there is no foreign key.
    "ruleId" UUID,
    "byWatch" BOOLEAN NOT NULL DEFAULT false,
    "action" TEXT NOT NULL,
    "label" TEXT,
    "selection" JSONB NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'planned',
    "total" INTEGER NOT NULL,
    "isComplete" BOOLEAN NOT NULL,
    "sizeBytes" BIGINT NOT NULL,
    "sizeKnown" INTEGER NOT NULL,
    "excluded" JSONB NOT NULL DEFAULT '{}',
    "plannedActions" JSONB NOT NULL DEFAULT '{}',
    "changedActions" JSONB NOT NULL DEFAULT '{}',
    "changedBytes" BIGINT NOT NULL DEFAULT 0,
    "historyId" TEXT NOT NULL,
    "overlapHistoryId" TEXT NOT NULL,
    "steps" INTEGER NOT NULL DEFAULT 0,
    "changed" INTEGER NOT NULL DEFAULT 0,
    "unchanged" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "startedAt" TIMESTAMPTZ(3),
    "progressedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Cleanup_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Cleanup_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "Cleanup_userId_id_idx" ON "Cleanup"("userId", "id" DESC);
CREATE INDEX "Cleanup_ruleId_idx" ON "Cleanup"("ruleId") WHERE "ruleId" IS NOT NULL;

CREATE TABLE "CleanupEmail" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "cleanupId" UUID NOT NULL,
    "emailId" TEXT NOT NULL,
    "threadId" TEXT,
    "suggestions" JSONB,
    "outcome" TEXT,
    "reason" TEXT,

    CONSTRAINT "CleanupEmail_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "CleanupEmail_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "CleanupEmail_cleanupId_fkey" FOREIGN KEY ("cleanupId")
        REFERENCES "Cleanup"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "CleanupEmail_cleanupId_id_idx" ON "CleanupEmail"("cleanupId", "id");
-- Export and erasure read the rows of a user.
CREATE INDEX "CleanupEmail_userId_id_idx" ON "CleanupEmail"("userId", "id");

-- History
-- -------

CREATE TABLE "ActionHistory" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "emailId" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "timestamp" TIMESTAMPTZ(3) NOT NULL,
    "details" JSONB NOT NULL,
    "undoneAt" TIMESTAMPTZ(3),
    -- A record that somebody else writes is a batch of its own.
    "batchId" UUID NOT NULL DEFAULT gen_random_uuid(),
    -- The sender of the email, as in CachedMessage; only of decisions about suggestions, and where the email was cached.
    "senderKey" BYTEA,
    -- What activity is added up from and decisions are learned from: reading "details" would take several times as long.
    "source" TEXT GENERATED ALWAYS AS ("details"->>'source') STORED,
    "classification" TEXT GENERATED ALWAYS AS ("details"->'suggestions'->0->>'classification') STORED,
    "suggestedAction" TEXT GENERATED ALWAYS AS ("details"->'suggestions'->0->>'action') STORED,
    "confidence" FLOAT8 GENERATED ALWAYS AS (("details"->'suggestions'->0->>'confidence_score')::float8) STORED,
    -- What the suggestion was called when the user decided.
    "acceptance" FLOAT8 GENERATED ALWAYS AS (("details"->'suggestions'->0->>'acceptance')::float8) STORED,
    -- What the record did to the mailbox, of what counts as cleaning. Accepting archives an email without a suggestion.
    "effect" TEXT GENERATED ALWAYS AS (
        CASE WHEN "details"->'gmailResponse'->>'status' = 'ok' THEN
            CASE
                WHEN "action" IN ('archive', 'delete', 'label') THEN "action"
                WHEN "action" <> 'accept' THEN NULL
                WHEN "details"->'suggestions'->0->>'action' IS NULL THEN 'archive'
                WHEN "details"->'suggestions'->0->>'action' IN ('archive', 'delete', 'label')
                    THEN "details"->'suggestions'->0->>'action'
            END
        END) STORED,

    CONSTRAINT "ActionHistory_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "ActionHistory_userId_timestamp_id_idx" ON "ActionHistory"("userId", "timestamp" DESC, "id" DESC);
CREATE INDEX "ActionHistory_userId_emailId_idx" ON "ActionHistory"("userId", "emailId");
-- An undo goes through a batch by the ids of its records.
CREATE INDEX "ActionHistory_batchId_id_idx" ON "ActionHistory"("batchId", "id");
CREATE INDEX "ActionHistory_senderKey_idx" ON "ActionHistory"("userId", "senderKey") WHERE "senderKey" IS NOT NULL;
-- The last record of each email comes first. Byte order is several times as fast as that of a language.
CREATE INDEX "ActionHistory_cleaned_idx"
    ON "ActionHistory"("userId", "emailId" COLLATE "C", "timestamp" DESC, "id" DESC) INCLUDE ("effect", "source")
    WHERE "undoneAt" IS NULL AND "effect" IS NOT NULL;
CREATE INDEX "ActionHistory_decided_idx"
    ON "ActionHistory"("userId", "emailId" COLLATE "C", "timestamp" DESC, "id" DESC) INCLUDE ("action", "classification")
    WHERE "undoneAt" IS NULL AND "action" IN ('accept', 'reject');
CREATE INDEX "ActionHistory_called_idx"
    ON "ActionHistory"("userId", "emailId" COLLATE "C", "timestamp" DESC, "id" DESC)
    INCLUDE ("action", "undoneAt", "classification", "acceptance")
    WHERE "acceptance" IS NOT NULL AND "action" IN ('accept', 'reject');
-- The newest decisions about what was called sure.
CREATE INDEX "ActionHistory_sure_idx"
    ON "ActionHistory"("userId", "timestamp" DESC, "id" DESC) INCLUDE ("action", "batchId", "senderKey")
    WHERE "acceptance" >= 0.95 AND "action" IN ('accept', 'reject') AND "undoneAt" IS NULL;

CREATE TRIGGER "dropRowsOfErasedUsers" AFTER INSERT ON "ActionHistory"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "dropRowsOfErasedUsers"();

-- Its counts are written by the statements that insert history records and mark them as undone
-- (packages/core/src/history). Tables whose rows are updated all the time leave room for it in their pages.
CREATE TABLE "ActionBatch" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "ruleId" UUID,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "total" INTEGER NOT NULL,
    "undone" INTEGER NOT NULL DEFAULT 0,
    "changed" INTEGER NOT NULL DEFAULT 0,
    "changedUndone" INTEGER NOT NULL DEFAULT 0,
    "undoState" TEXT,
    "undoCursor" UUID,
    "undoFailed" INTEGER NOT NULL DEFAULT 0,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ActionBatch_pkey" PRIMARY KEY ("id")
) WITH (fillfactor = 70);

CREATE INDEX "ActionBatch_userId_startedAt_id_idx" ON "ActionBatch"("userId", "startedAt" DESC, "id" DESC);
CREATE INDEX "ActionBatch_ruleId_startedAt_id_idx" ON "ActionBatch"("ruleId", "startedAt" DESC, "id" DESC)
    WHERE "ruleId" IS NOT NULL;

CREATE TRIGGER "dropRowsOfErasedUsers" AFTER INSERT ON "ActionBatch"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "dropRowsOfErasedUsers"();

-- Counts of the history
-- ---------------------

-- Counts of lists, and below sums of summaries, which triggers update in the statements that write the rows they count
-- (docs/decisions/028). A trigger sees rows however they are written: by batches, by an erasure, by hand.
-- Rows are locked in the order of their keys, so that statements of several processes can't deadlock.

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

-- The UTC day of an instant.
CREATE FUNCTION "utcDay"(instant timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (instant AT TIME ZONE 'UTC')::date;

-- The source of a history record; empty without one.
CREATE FUNCTION "sourceOfAction"(details jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(details ->> 'source', '');

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

-- What is learned from the history (docs/decisions/047)
-- -----------------------------------------------------

-- Decisions by sender and kind of suggestion. The last decision about an email counts.
CREATE TABLE "SenderAcceptance" (
    "userId" UUID NOT NULL,
    "senderKey" BYTEA NOT NULL,
    "action" TEXT NOT NULL,
    "classification" TEXT NOT NULL,
    "decided" INTEGER NOT NULL,
    "accepted" INTEGER NOT NULL,
    "confidence" FLOAT8 NOT NULL,
    -- Of the last decision.
    "decidedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SenderAcceptance_pkey" PRIMARY KEY ("userId","senderKey","action","classification")
) WITH (fillfactor = 70);

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
      count(*) FILTER (WHERE "isAccepted") AS "accepted", sum("confidence") AS "confidence",
      max("timestamp") AS "decidedAt"
    FROM decision GROUP BY 1, 2, 3, 4
  ), gone AS (
    DELETE FROM "SenderAcceptance" AS known USING touched
    WHERE known."userId" = touched."userId" AND known."senderKey" = touched."senderKey" AND NOT EXISTS (
      SELECT FROM counted WHERE counted."userId" = known."userId" AND counted."senderKey" = known."senderKey"
        AND counted."action" = known."action" AND counted."classification" = known."classification")
  ), stored AS (
    INSERT INTO "SenderAcceptance" AS known
      ("userId", "senderKey", "action", "classification", "decided", "accepted", "confidence", "decidedAt")
    SELECT "userId", "senderKey", "action", "classification", "decided", "accepted", "confidence", "decidedAt"
    FROM counted
    ORDER BY 1, 2, 3, 4
    ON CONFLICT ("userId", "senderKey", "action", "classification") DO UPDATE
      SET "decided" = excluded."decided", "accepted" = excluded."accepted", "confidence" = excluded."confidence",
        "decidedAt" = excluded."decidedAt"
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

-- The watch and rules
-- -------------------

CREATE TABLE "MailboxWatch" (
    "userId" UUID NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'active',
    "error" TEXT,
    "dueAt" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    "runId" UUID,
    "leasedUntil" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "stoppedAt" TIMESTAMPTZ(3),
    "historyId" TEXT,
    "overlapHistoryId" TEXT,
    "seenEmailIds" TEXT[] NOT NULL DEFAULT '{}',
    "readAt" TIMESTAMPTZ(3),
    "lastRunAt" TIMESTAMPTZ(3),
    "lastNewEmails" INTEGER NOT NULL DEFAULT 0,
    "lastSuggested" INTEGER NOT NULL DEFAULT 0,
    "newEmails" INTEGER NOT NULL DEFAULT 0,
    "suggested" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "MailboxWatch_pkey" PRIMARY KEY ("userId"),
    CONSTRAINT "MailboxWatch_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "MailboxWatch_dueAt_idx" ON "MailboxWatch"("dueAt");
CREATE INDEX "MailboxWatch_stopped_idx" ON "MailboxWatch"("userId") WHERE "stoppedAt" IS NOT NULL;

CREATE TABLE "Rule" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "senderKey" BYTEA,
    "formerKey" BYTEA,
    "encryptedSender" TEXT,
    "classification" TEXT,
    "minConfidence" DOUBLE PRECISION,
    "olderThan" INTEGER NOT NULL,
    "action" TEXT NOT NULL,
    "label" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT false,
    "pausedReason" TEXT,
    "pausedAt" TIMESTAMPTZ(3),
    "dueAt" TIMESTAMPTZ(3),
    "checkedAt" TIMESTAMPTZ(3),
    "countedFrom" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "runs" INTEGER NOT NULL DEFAULT 0,
    "lastRunAt" TIMESTAMPTZ(3),
    "lastCleanupId" UUID,
    "lastBatchId" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Rule_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Rule_condition_check" CHECK (
        ("senderKey" IS NULL) = ("encryptedSender" IS NULL) AND ("classification" IS NULL) = ("minConfidence" IS NULL)
        AND ("senderKey" IS NULL) <> ("classification" IS NULL)),
    CONSTRAINT "Rule_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "Rule_userId_id_idx" ON "Rule"("userId", "id" DESC);

-- Domain events
-- -------------

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

CREATE TRIGGER "dropRowsOfErasedUsers" AFTER INSERT ON "OutboxEvent"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "dropRowsOfErasedUsers"();

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

CREATE TRIGGER "dropRowsOfErasedUsers" AFTER INSERT ON "NotificationEvent"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "dropRowsOfErasedUsers"();

-- Counts and rollups of events, as of the history
-- -----------------------------------------------

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

-- The log is emptied all the time.
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

-- The beginning of the span of ten minutes in which an instant lies.
CREATE FUNCTION "rollupStart"(instant timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN date_bin('10 minutes', instant, '2000-01-01T00:00:00Z');

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

-- As countActionHistory, for events by type. Rollups are updated later: what changed goes to the log.
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

-- Notifications to users
-- ----------------------

CREATE TABLE "Notification" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "encryptedContent" TEXT,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "dueAt" TIMESTAMPTZ(3) NOT NULL,
    "isHeld" BOOLEAN NOT NULL DEFAULT false,
    "bundleId" UUID,
    "runId" UUID,
    "leasedUntil" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "sentTo" TEXT[] NOT NULL DEFAULT '{}',
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "endedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Notification_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Notification_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "Notification_userId_key_key" ON "Notification"("userId", "key");
CREATE INDEX "Notification_due_idx" ON "Notification"("dueAt") WHERE "state" = 'pending';
CREATE INDEX "Notification_createdAt_idx" ON "Notification"("createdAt");

CREATE TABLE "PushSubscription" (
    "id" TEXT NOT NULL,
    "userId" UUID NOT NULL,
    "encryptedSubscription" TEXT NOT NULL,
    "browser" TEXT,
    "language" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "PushSubscription_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "PushSubscription_userId_fkey" FOREIGN KEY ("userId")
        REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "PushSubscription_userId_idx" ON "PushSubscription"("userId");
