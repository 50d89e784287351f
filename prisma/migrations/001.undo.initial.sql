DROP TABLE
  "OutboxEvent", "NotificationDelta", "NotificationRollup",
  "NotificationEventDay", "ActionHistoryDay", "ActionHistoryTotal", "NotificationEvent",
  "ActionHistory", "IdempotencyKey", "MailboxLease", "ActionIntent", "EmailSuggestion", "PendingLogin",
  "ErasedUser", "AuditEntry", "Session", "ProviderConnection", "MailboxScan", "CachedMessage", "MailboxSync",
  "User";

DROP FUNCTION "storeSuggestions";
DROP FUNCTION "dropRowsOfErasedUsers";
DROP FUNCTION "truncateNotificationEventCounts";
DROP FUNCTION "countNotificationEvents";
DROP FUNCTION "addUpNotificationDeltas";
DROP FUNCTION "truncateActionHistoryCounts";
DROP FUNCTION "countActionHistory";
DROP FUNCTION "countsOfEvent";
DROP FUNCTION "summaryNumber";
DROP FUNCTION "sourceOfAction";
DROP FUNCTION "rollupStart";
DROP FUNCTION "utcDay";
