export { type BackgroundLoop, startBackgroundLoop } from './background-loop.ts';
export { type DeadLetter, listDeadLetters, replayDeadLetters } from './dead-letters.ts';
export { PermanentFailureError, RetryLaterError } from './job-errors.ts';
export { registerOutboxMetrics, registerQueueMetrics } from './metrics.ts';
export { createOutageLog } from './outage-log.ts';
export { createOutboxRelay } from './outbox-relay.ts';
export { createOutboxSweeper, sweepOutbox } from './outbox-sweeper.ts';
export { publish, toPublication } from './publish.ts';
export { type JobCounts, type NewJob, openQueueBackend, type QueueBackend } from './queue-backend.ts';
export type { JobOutcome, ProcessJob, QueuedJob, QueueWorker } from './queue-worker.ts';
export {
  DOMAIN_EVENTS_QUEUE,
  LOG_QUEUE,
  MAILBOX_SCAN_QUEUE,
  PERSIST_QUEUE,
  QUEUE_NAMES,
  type QueueName,
  type StallSettings,
  WEBHOOK_QUEUE,
} from './queues.ts';
export { removeJobsOf } from './remove-jobs.ts';
export { type Requeueing, requeueJob } from './requeue-job.ts';
export { exponentialDelay, type RetryDelay } from './retry-delays.ts';
export { ScanJobDataSchema, toScanJob } from './scan-job.ts';
export { toStorableJsonText } from './to-storable-json.ts';
export { oweWebhooks, settleWebhook } from './webhook-ledger.repository.ts';
