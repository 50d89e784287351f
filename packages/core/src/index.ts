export { insertActionHistory, listActionHistory } from './action-history.repository.ts';
export { insertAuditEntry, listAuditEntries, type NewAuditEntry } from './audit-trail.repository.ts';
export { createConfirmSuggestions } from './confirm-suggestions.ts';
export type { Clock, OpenMailbox } from './dependencies.ts';
export { createErasePerson } from './erase-person.ts';
export { createExecuteInboxAction } from './execute-inbox-action.ts';
export {
  deleteAbandonedLogins,
  deleteEndedSessions,
  deleteOldAuditEntries,
  deleteOldIdempotencyKeys,
} from './expired-records.repository.ts';
export { exportPersonalData } from './export-personal-data.ts';
export {
  completeIdempotencyKey,
  type HeldKey,
  IDEMPOTENCY_LEASE_SECONDS,
  type IdempotentRequest,
  type KeyReservation,
  releaseIdempotencyKey,
  renewIdempotencyKey,
  reserveIdempotencyKey,
} from './idempotency-key.repository.ts';
export { createListEmails } from './list-emails.ts';
export { type ListedRow, toPage } from './listed-row.ts';
export { createLookUpEmails } from './look-up-emails.ts';
export { createMailOverview } from './mail-overview.ts';
export { createMailboxLock, MailboxBusyError } from './mailbox-lock.ts';
export {
  cancelScan,
  countActiveScans,
  findScan,
  giveUpScans,
  listScans,
  listSilentScans,
  type ScanRow,
  toScan,
} from './mailbox-scan.repository.ts';
export { listNotificationEvents } from './notification-event.repository.ts';
export { summarizeNotifications } from './notification-summary.repository.ts';
export { createPlanExecutor, type PlanExecutor } from './plan-executor.ts';
export { createReadConversation } from './read-conversation.ts';
export { createRecordSettlement } from './record-settlement.ts';
export type { ScanEvent } from './scan-event.ts';
export { createScanMailbox, type OpenScanMailbox, type ScanStep } from './scan-mailbox.ts';
export { createStartScan, TooManyScansError } from './start-scan.ts';
export { createSuggestActions } from './suggest-actions.ts';
export { createUndoActions } from './undo-actions.ts';
export { measureUnsettledIntents } from './unsettled-intents.repository.ts';
