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
/** Scans taken up in one round. */
const BATCH_SIZE = 500;

/**
 * Looks after scans for as long as the process runs: the step of a silent one goes into the queue again, for the
 * queue may have been away when the scan was started, or have lost its memory. A step that is still there is not
 * added twice. Scans that don't get on for a day are given up.
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
      if (givenUp > 0) logger.warn({ count: givenUp }, 'gave scans up that did not get on');
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
