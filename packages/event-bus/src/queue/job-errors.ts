import { UnrecoverableError } from 'bullmq';

/** The job can never succeed: it becomes a dead letter at once. */
export class PermanentFailureError extends UnrecoverableError {
  readonly code = 'permanent_failure';
}

/** The job failed and says itself when to try again, in milliseconds from now. */
export class RetryLaterError extends Error {
  override readonly name = 'RetryLaterError';
  readonly code = 'retry_later';
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs: number, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
  }
}
