import type { Database } from '@mailsweep/database';
import {
  type BackgroundLoop,
  createOutageLog,
  exponentialDelay,
  type Logger,
  startBackgroundLoop,
} from '@mailsweep/service-kit';
import { deleteDelivered, unpublishOverdue } from './outbox.repository.ts';

/** Time after which a published event that did not arrive is published again, in milliseconds. */
const OVERDUE_MS = 60_000;
/** How long a delivered event is kept, in milliseconds; the timeline has what is worth keeping. */
const KEEP_MS = 3_600_000;
/** Age at which an event is deleted although its webhook was never delivered, in milliseconds. */
const GIVE_UP_MS = 7 * 24 * 3_600_000;
/** Events per round, so that a backlog does not cause one slow statement. */
const BATCH_SIZE = 1_000;
const INTERVAL_MS = 10_000;

/**
 * Sweeps the outbox once: marks events that did not arrive for publishing, for example after the queue lost its
 * data, and deletes events that were delivered long ago.
 *
 * @returns the number of events to publish again and of events deleted
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
        options.logger.info({ count: republished }, 'republishing events that did not arrive');
        options.relay.wake();
      }
      return deleted === BATCH_SIZE;
    },
    intervalMs: INTERVAL_MS,
    retryDelayMs: exponentialDelay({ firstMs: 1_000, longestMs: INTERVAL_MS }),
    outageLog: createOutageLog(options.logger, 'the outbox sweep'),
  });
