import { giveUpScans, listSilentScans, type ScanEvent, toScanJob } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import { MAILBOX_SCAN_QUEUE, type QueueBackend } from '@mailsweep/event-bus';
import {
  type BackgroundLoop,
  createOutageLog,
  exponentialDelay,
  type Logger,
  startBackgroundLoop,
} from '@mailsweep/service-kit';

const INTERVAL_MS = 10_000;
/** Scans per round. */
const BATCH_SIZE = 500;

/**
 * Sweeps scans for as long as the process runs: adds the job of a silent scan again, since the queue may have been
 * unavailable when the scan was started, or have lost its data. A job that is still in the queue is not added twice.
 * Scans without progress for a day fail.
 */
export const createScanSweeper = (options: {
  database: Database;
  queue: Pick<QueueBackend, 'addJobs'>;
  logger: Logger;
  observe: (event: ScanEvent) => void;
  intervalMs?: number;
}): BackgroundLoop => {
  const { database, queue, logger, observe, intervalMs = INTERVAL_MS } = options;
  return startBackgroundLoop({
    task: async () => {
      const givenUp = await giveUpScans(database);
      for (let count = 0; count < givenUp; count += 1) observe({ type: 'ended', outcome: 'timed_out' });
      if (givenUp > 0) logger.warn({ count: givenUp }, 'scans timed out without progress');
      const silent = await listSilentScans(database, BATCH_SIZE);
      await queue.addJobs(
        MAILBOX_SCAN_QUEUE,
        silent.map(({ id, userId, pages }) => toScanJob({ scanId: id, userId, page: pages })),
      );
      return false;
    },
    intervalMs,
    retryDelayMs: exponentialDelay({ firstMs: 1_000, longestMs: INTERVAL_MS }),
    outageLog: createOutageLog(logger, 'the scan sweep'),
  });
};
