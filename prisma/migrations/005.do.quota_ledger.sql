CREATE UNLOGGED TABLE "QuotaLedger" (
    "userId" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "ledger" JSONB NOT NULL,

    CONSTRAINT "QuotaLedger_pkey" PRIMARY KEY ("userId")
) WITH (fillfactor = 50);

CREATE TRIGGER "dropRowsOfErasedUsers" AFTER INSERT ON "QuotaLedger"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "dropRowsOfErasedUsers"();
