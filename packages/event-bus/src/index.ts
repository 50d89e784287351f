export {
  type DeadLetter,
  listDeadLetters,
  type Requeueing,
  replayDeadLetters,
  requeueJob,
} from './jobs/dead-letters.ts';
export { removeJobsOf } from './jobs/remove-jobs.ts';
export { registerOutboxMetrics, registerQueueMetrics } from './metrics.ts';
export { markWebhookDone, markWebhooksPending, measureOutbox, publish } from './outbox/outbox.repository.ts';
export { createOutboxRelay, createOutboxSweeper, sweepOutbox } from './outbox/outbox-relay.ts';
export { toStorableJsonText } from './outbox/to-storable-json.ts';
export { QUEUE_SCHEMA } from './queue/postgres-driver.ts';
export {
  JOB_OUTCOMES,
  type JobCounts,
  type JobOutcome,
  type NewJob,
  openQueueBackend,
  type ProcessJob,
  type QueueBackend,
  type QueuedJob,
  type QueueWorker,
} from './queue/queue-backend.ts';
export {
  DELIVERY_RETRIES,
  DOMAIN_EVENTS_QUEUE,
  PERSIST_QUEUE,
  PermanentFailureError,
  QUEUE_NAMES,
  type QueueName,
  RetryLaterError,
  type StallSettings,
  toRetryDelayMs,
  WEBHOOK_QUEUE,
} from './queue/queues.ts';
