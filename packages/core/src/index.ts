export { createEraseUser } from './account/erase-user.ts';
export {
  deleteAbandonedLogins,
  deleteEndedSessions,
  deleteEndedTokens,
  deleteOldAuditEntries,
  deleteOldAuthorizationRequests,
  deleteOldIdempotencyKeys,
} from './account/expired-records.repository.ts';
export { exportPersonalData } from './account/export-personal-data.ts';
export { updatePreferences } from './account/update-preferences.ts';
export { createConfirmSuggestions } from './acting/confirm-suggestions.ts';
export { createExecuteInboxAction } from './acting/execute-inbox-action.ts';
export { getActivity } from './activity/get-activity.ts';
export {
  type CleanupRow,
  deleteOldCleanups,
  findCleanup,
  listCleanups,
  toCleanup,
} from './cleanups/cleanup.repository.ts';
export { createControlCleanup, createUndoCleanup } from './cleanups/control-cleanup.ts';
export { createListCleanupEmails } from './cleanups/list-cleanup-emails.ts';
export { createListCleanupSample, createPlanCleanup } from './cleanups/plan-cleanup.ts';
export { createRunCleanup } from './cleanups/running/run-cleanup.ts';
export {
  completeIdempotencyKey,
  type HeldKey,
  IDEMPOTENCY_LEASE_SECONDS,
  type IdempotentRequest,
  type KeyReservation,
  releaseIdempotencyKey,
  renewIdempotencyKey,
  reserveIdempotencyKey,
} from './concurrency/idempotency-key.repository.ts';
export { createMailboxLock, MailboxBusyError } from './concurrency/mailbox-lock.ts';
export { summarizeEvents } from './domain-events/event-summary.repository.ts';
export { listStoredEvents } from './domain-events/stored-event.repository.ts';
export {
  announceWork,
  claimDueWork,
  countWork,
  giveUpParkedWork,
  giveUpStuckWork,
  type LeasedWork,
  listParkedWork,
  releaseWork,
  resumeParkedWork,
  WORK_CHANNEL,
} from './due-work/due-work.repository.ts';
export { createRunStep, type RunStep, type StepOutcome } from './due-work/run-step.ts';
export { WORK_KINDS, type WorkKind } from './due-work/work-kinds.repository.ts';
export { createCountMailbox } from './emails/count-mailbox.ts';
export { createListEmails, createLookUpEmails } from './emails/list-emails.ts';
export { createMailOverview } from './emails/mail-overview.ts';
export { insertActionHistory, listActionHistory } from './history/action-history.repository.ts';
export { insertAuditEntry, listAuditEntries, type NewAuditEntry } from './history/audit-trail.repository.ts';
export { createBrowseHistory } from './history/browse-history.ts';
export {
  deleteExpiredEvents,
  deleteExpiredHistory,
  deleteExpiredSuggestions,
} from './history/expired-history.repository.ts';
export { measurePendingIntents } from './intents/action-intent.repository.ts';
export { createIntentExecutor, type IntentExecutor } from './intents/intent-executor.ts';
export { createRecordOutcomes } from './intents/record-outcomes.ts';
export { getPrecision } from './learning/get-precision.ts';
export { renameLearnedSenders } from './learning/rename-senders.repository.ts';
export { createStoppedSuggestions } from './learning/stopped-suggestions.ts';
export { type ListedRow, toPage } from './listed-row.ts';
export {
  createDeliverNotifications,
  DELIVERY_OUTCOMES,
  type Deliveries,
  type SendNotificationWebhook,
  type SendPush,
  type SendResult,
} from './notifications/deliver-notifications.ts';
export {
  deleteOldNotifications,
  measureNotifications,
} from './notifications/notification.repository.ts';
export { deleteAllPushSubscriptions } from './notifications/push-subscription.repository.ts';
export {
  createPushSubscriptions,
  type PushTarget,
} from './notifications/push-subscriptions.ts';
export { recordAlerts, recordAttention } from './notifications/record-notifications.ts';
export { takeDigest } from './notifications/take-digest.ts';
export { type ChosenPreferences, findPreferences } from './preferences/preferences.repository.ts';
export { createProtections } from './protections/protect-sender.ts';
export { forgetFormerKeys, reencryptProtections } from './protections/reencrypt-protections.repository.ts';
export { InvalidFieldError, RefusedError } from './refused-error.ts';
export { createRunDueRules } from './rule-runs/run-due-rules.ts';
export { createRunRule } from './rule-runs/run-rule.ts';
export { createUndoRule } from './rule-runs/undo-rule.ts';
export { forgetFormerRuleKeys, reencryptRules } from './rules/reencrypt-rules.repository.ts';
export { createRules } from './rules/rules.ts';
export {
  cancelScan,
  countActiveScans,
  findScan,
  listScans,
  type ScanRow,
  toScan,
} from './scan/mailbox-scan.repository.ts';
export { createScanMailbox, type OpenScanMailbox, type ScanEvent } from './scan/scan-mailbox.ts';
export { createStartScan } from './scan/start-scan.ts';
export { createListSuggestionGroups } from './suggestions/groups/list-suggestion-groups.ts';
export { summarizeSuggestions } from './suggestions/groups/suggestion-summary.repository.ts';
export { createSuggestActions } from './suggestions/suggest-actions.ts';
export { exportTrainingData, type TrainingDataCounts } from './training-data/export-training-data.ts';
export { createUndoActions } from './undoing/undo-actions.ts';
export { createTakeUndoStep, createUndoBatch } from './undoing/undo-batch.ts';
export { reencryptUnsubscribes } from './unsubscribing/reencrypt-unsubscribes.repository.ts';
export { createRunUnsubscribe, type UnsubscribeCallOutcome } from './unsubscribing/run-unsubscribe.ts';
export { createUnsubscribing } from './unsubscribing/unsubscribe-sender.ts';
export {
  findLeasedWatch,
  findWatch,
  measureWatches,
  resumeWatches,
} from './watch/mailbox-watch.repository.ts';
export {
  createRunWatch,
  type OpenWatchMailbox,
  WATCH_OUTCOMES,
  type WatchOutcome,
  type WatchRun,
} from './watch/run-watch.ts';
export { holdWatches, leaveWatches, makeWatchDue } from './watch/watch-listener.repository.ts';
