DROP TABLE "OutgoingCall";
