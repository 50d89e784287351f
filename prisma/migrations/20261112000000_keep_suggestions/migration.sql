-- Keeps what a person was shown for emails in place of what they were shown before; an email for which nothing is
-- suggested any more is forgotten. One call of a person at a time: two that delete and insert the same rows would lock
-- each other out. As a function it is one round trip, and still each of its statements sees what was committed while
-- it waited for its turn.
CREATE FUNCTION "keepSuggestions"("person" uuid, "shown" jsonb, "shownAt" timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended("person"::text, 0));

  DELETE FROM "EmailSuggestion"
  WHERE "userId" = "person" AND "emailId" IN (
    SELECT "id" FROM jsonb_to_recordset("shown") AS email("id" text, "suggestions" jsonb)
    WHERE "suggestions" = '[]');

  INSERT INTO "EmailSuggestion" ("userId", "emailId", "suggestions", "generatedAt")
  SELECT "person", "id", "suggestions", "shownAt"
  FROM jsonb_to_recordset("shown") AS email("id" text, "suggestions" jsonb)
  WHERE "suggestions" <> '[]'
  ON CONFLICT ("userId", "emailId")
  DO UPDATE SET "suggestions" = excluded."suggestions", "generatedAt" = excluded."generatedAt";
END $$;
