DROP TABLE "SenderName";
