DROP TABLE
  "OutboxEvent", "NotificationDelta", "NotificationRollup", "NotificationEventSpan", "ActionHistorySpan",
  "NotificationEventDay", "ActionHistoryDay", "ActionHistoryMonth", "ActionHistoryTotal", "NotificationEvent",
  "ActionHistory", "IdempotencyKey", "MailboxLease", "ActionIntent", "EmailSuggestion", "PendingLogin",
  "ErasedUser", "AuditEntry", "Session", "ProviderConnection", "MailboxScan", "CachedMessage", "MailboxSync",
  "User";

DROP FUNCTION "keepSuggestions";
DROP FUNCTION "dropRowsOfErasedUsers";
DROP FUNCTION "forgetNotificationEventCounts";
DROP FUNCTION "countNotificationEvents";
DROP FUNCTION "addUpNotificationDeltas";
DROP FUNCTION "forgetActionHistoryCounts";
DROP FUNCTION "countActionHistory";
DROP FUNCTION "countsOfEvent";
DROP FUNCTION "summaryNumber";
DROP FUNCTION "sourceOfAction";
DROP FUNCTION "rollupStart";
DROP FUNCTION "utcMonth";
DROP FUNCTION "utcDay";
