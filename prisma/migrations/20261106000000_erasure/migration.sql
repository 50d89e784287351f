-- CreateTable
CREATE TABLE "ErasedUser" (
    "id" UUID NOT NULL,
    "erasedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ErasedUser_pkey" PRIMARY KEY ("id")
);

-- Takes back rows that are inserted for a person who was erased meanwhile (docs/decisions/019). Every table with
-- a column "userId" that has no foreign key to "User" needs the trigger. The lock makes an insertion that is under
-- way and an erasure wait for each other: one of the two sees what the other wrote.
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
