import {
  type BackgroundLoop,
  createOutageLog,
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
    outageLog: createOutageLog(options.logger, options.subject),
  });
