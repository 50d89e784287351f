export { startOutgoingCallLog } from './account/outgoing-calls.repository.ts';
export type { IdempotentRequest, StoredResponse } from './concurrency/idempotency.repository.ts';
export { MailboxBusyError } from './concurrency/mailbox-lock.repository.ts';
export { lockSession } from './concurrency/session-lock.repository.ts';
export type { LeasedWork } from './due-work/due-work.repository.ts';
export type { WorkKind } from './due-work/work-kinds.repository.ts';
export { insertAuditEntry } from './history/audit-trail.repository.ts';
export { type ListedRow, toPage } from './listed-row.ts';
export { addOwnMailbox } from './mailboxes/own-mailboxes.ts';
export { createMailsweep, type Mailsweep, type MailsweepPorts } from './mailsweep.ts';
export { createMaintenance, type Maintenance } from './maintenance.ts';
export {
  DELIVERY_OUTCOMES,
  type SendNotificationWebhook,
  type SendPush,
  type SendResult,
} from './notifications/deliver-notifications.ts';
export { deleteAllPushSubscriptions } from './notifications/push-subscriptions.repository.ts';
export {
  findOwnMailbox,
  listPeerIds,
  lockPeers,
  type Reach,
  reachedUserIds,
} from './owners/owners.repository.ts';
export { InvalidFieldError, RefusedError } from './refused-error.ts';
export type { WorkerPorts } from './steps.ts';
export type { TrainingDataCounts } from './training-data/export-training-data.repository.ts';
export type { UnsubscribeCallOutcome } from './unsubscribing/run-unsubscribe.ts';
export { WATCH_OUTCOMES } from './watch/run-watch.ts';
