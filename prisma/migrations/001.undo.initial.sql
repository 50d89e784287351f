DROP TABLE
  "PushSubscription", "Notification", "NotificationDelta", "NotificationRollup", "NotificationEventDay",
  "NotificationEvent", "OutboxEvent", "Rule", "MailboxWatch", "SenderAcceptance", "ActionHistoryDay",
  "ActionHistoryTotal", "ActionBatch", "ActionHistory", "CleanupEmail", "Cleanup", "ActionIntent", "IdempotencyKey",
  "MailboxLease", "StoppedSuggestion", "EmailSuggestion", "MailboxScan", "Unsubscribe", "Protection", "InboxSize",
  "CachedMessage", "MailboxSync", "ErasedUser", "UserPreferences", "AuditEntry", "Session", "PendingLogin",
  "ProviderConnection", "User";

DROP FUNCTION
  "truncateNotificationEventCounts", "countNotificationEvents", "addUpNotificationDeltas", "countsOfEvent",
  "summaryNumber", "rollupStart", "truncateDecisions", "learnDecisions", "truncateActionHistoryCounts",
  "countActionHistory", "sourceOfAction", "utcDay", "storeSuggestions", "dropRowsOfErasedUsers";
