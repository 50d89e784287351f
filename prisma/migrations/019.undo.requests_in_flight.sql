DROP TABLE "RequestsInFlight";
