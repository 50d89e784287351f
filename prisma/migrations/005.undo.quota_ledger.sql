DROP TABLE "QuotaLedger";
