DROP TABLE "InboxSize";
