import type { Database } from '@mailsweep/database';
import {
  type BackgroundLoop,
  createOutageLog,
  exponentialDelay,
  type Logger,
  startBackgroundLoop,
} from '@mailsweep/service-kit';
import { deleteDelivered, unpublishOverdue } from './outbox.repository.ts';

/** Time after which a published event that reached nobody is published again, in milliseconds. */
const OVERDUE_MS = 60_000;
/** How long a delivered event is kept, in milliseconds; the timeline has what is worth keeping. */
const KEEP_MS = 3_600_000;
/** Age at which an event is deleted although the workflow service never took it, in milliseconds. */
const GIVE_UP_MS = 7 * 24 * 3_600_000;
/** Events taken up at a time, so that a backlog costs a little every round rather than much at once. */
const BATCH_SIZE = 1_000;
const INTERVAL_MS = 10_000;

/**
 * Takes one look at the outbox: publishes again what got lost on its way, a queue that lost its memory
 * included, and deletes what has long arrived.
 *
 * @returns how many events are to be published again, and how many were deleted
 */
export const sweepOutbox = async (
  database: Database,
  ages: { overdueMs: number; keepMs: number } = { overdueMs: OVERDUE_MS, keepMs: KEEP_MS },
): Promise<{ republished: number; deleted: number }> => ({
  republished: await unpublishOverdue(database, ages.overdueMs, BATCH_SIZE),
  deleted: await deleteDelivered(database, { keepMs: ages.keepMs, giveUpMs: GIVE_UP_MS }, BATCH_SIZE),
});

/**
 * Sweeps the outbox for as long as the process runs.
 *
 * @param options.relay - woken when there are events to publish again
 */
export const createOutboxSweeper = (options: {
  database: Database;
  relay: Pick<BackgroundLoop, 'wake'>;
  logger: Logger;
}): BackgroundLoop =>
  startBackgroundLoop({
    task: async () => {
      const { republished, deleted } = await sweepOutbox(options.database);
      if (republished > 0) {
        options.logger.info({ count: republished }, 'publishing events again that have not arrived');
        options.relay.wake();
      }
      return deleted === BATCH_SIZE;
    },
    intervalMs: INTERVAL_MS,
    retryDelayMs: exponentialDelay({ firstMs: 1_000, longestMs: INTERVAL_MS }),
    outageLog: createOutageLog(options.logger, 'the outbox sweep'),
  });
