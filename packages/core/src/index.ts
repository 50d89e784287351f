export {
  type BatchUndoJobData,
  BatchUndoJobDataSchema,
  toBatchUndoJob,
  toBatchUndoStep,
} from './acting/batch-undo-job.ts';
export { createConfirmSuggestions } from './acting/confirm-suggestions.ts';
export { createExecuteInboxAction } from './acting/execute-inbox-action.ts';
export { createUndoActions } from './acting/undo-actions.ts';
export { createTakeUndoStep, createUndoBatch } from './acting/undo-batch.ts';
export {
  type CleanupRow,
  deleteOldCleanups,
  giveUpCleanups,
  listCleanups,
  listSilentCleanups,
  toCleanup,
} from './cleanups/cleanup.repository.ts';
export { type CleanupJobData, CleanupJobDataSchema, toCleanupJob } from './cleanups/cleanup-job.ts';
export { CleanupStateError, createControlCleanup } from './cleanups/control-cleanup.ts';
export { createListCleanupEmails } from './cleanups/list-cleanup-emails.ts';
export { createFindCleanupPlan, createPlanCleanup, TooManyPlansError } from './cleanups/plan-cleanup.ts';
export { createRunCleanup } from './cleanups/run-cleanup.ts';
export { createUndoCleanup } from './cleanups/undo-cleanup.ts';
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
export type { OpenMailbox } from './dependencies.ts';
export { createListEmails } from './emails/list-emails.ts';
export { createLookUpEmails } from './emails/look-up-emails.ts';
export { createMailOverview } from './emails/mail-overview.ts';
export { createReadConversation } from './emails/read-conversation.ts';
export { insertActionHistory, listActionHistory } from './history/action-history.repository.ts';
export { listSilentBatchUndos } from './history/batch-undo.repository.ts';
export { createListBatches } from './history/list-batches.ts';
export { measurePendingIntents } from './intents/action-intent.repository.ts';
export { createPlanExecutor, type PlanExecutor } from './intents/plan-executor.ts';
export { createRecordOutcomes } from './intents/record-outcomes.ts';
export { type ListedRow, toPage } from './listed-row.ts';
export { listNotificationEvents } from './notifications/notification-event.repository.ts';
export { summarizeNotifications } from './notifications/notification-summary.repository.ts';
export { insertAuditEntry, listAuditEntries, type NewAuditEntry } from './privacy/audit-trail.repository.ts';
export { createEraseUser } from './privacy/erase-user.ts';
export {
  deleteAbandonedLogins,
  deleteEndedSessions,
  deleteOldAuditEntries,
  deleteOldIdempotencyKeys,
} from './privacy/expired-records.repository.ts';
export { exportPersonalData } from './privacy/export-personal-data.ts';
export {
  cancelScan,
  countActiveScans,
  findScan,
  giveUpScans,
  listScans,
  listSilentScans,
  type ScanRow,
  toScan,
} from './scan/mailbox-scan.repository.ts';
export type { ScanEvent } from './scan/scan-event.ts';
export { ScanJobDataSchema, toScanJob } from './scan/scan-job.ts';
export { createScanMailbox, type OpenScanMailbox, type ScanStep } from './scan/scan-mailbox.ts';
export { createStartScan, TooManyScansError } from './scan/start-scan.ts';
export type { StepOutcome } from './step-outcome.ts';
export { createSuggestActions } from './suggestions/suggest-actions.ts';
export { summarizeSuggestions } from './suggestions/suggestion-summary.repository.ts';
