-- expand
-- How many requests of a user all processes have in flight at a JMAP server (docs/decisions/073). Not logged: a crash of
-- the database ends them.
CREATE UNLOGGED TABLE "RequestsInFlight" (
    "userId" UUID NOT NULL,
    "leases" JSONB NOT NULL,

    CONSTRAINT "RequestsInFlight_pkey" PRIMARY KEY ("userId")
) WITH (fillfactor = 50);

CREATE TRIGGER "dropRowsOfErasedUsers" AFTER INSERT ON "RequestsInFlight"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "dropRowsOfErasedUsers"();
