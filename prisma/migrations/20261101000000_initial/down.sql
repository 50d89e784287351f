DROP TABLE "OutboxEvent", "NotificationEvent", "ActionHistory", "ActionIntent", "EmailSuggestion",
  "PendingLogin", "Session", "ProviderConnection", "User";
