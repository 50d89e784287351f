import {
  type BackgroundLoop,
  createOutageLog,
  exponentialDelay,
  type Logger,
  startBackgroundLoop,
} from '@mailsweep/service-kit';

const INTERVAL_MS = 3_600_000;

/**
 * Deletes in batches, every hour and for as long as the process runs.
 *
 * @param options.subject - for the log, when the database is unavailable
 * @param options.deleteBatch - true when there may be more to delete
 */
export const startHourlyDeletion = (options: {
  subject: string;
  deleteBatch: () => Promise<boolean>;
  logger: Logger;
}): BackgroundLoop =>
  startBackgroundLoop({
    task: options.deleteBatch,
    intervalMs: INTERVAL_MS,
    retryDelayMs: exponentialDelay({ firstMs: 1_000, longestMs: 60_000 }),
    outageLog: createOutageLog(options.logger, options.subject),
  });
