import type { Database } from '@mailsweep/database';
import {
  type BackgroundLoop,
  createOutageLog,
  exponentialDelay,
  type Logger,
  startBackgroundLoop,
} from '@mailsweep/service-kit';
import { inSpan, toMessageSpan } from '@mailsweep/service-kit/tracing';
import type { QueueBackend } from '../queue/queue-backend.ts';
import { DOMAIN_EVENTS_QUEUE } from '../queue/queues.ts';
import { deleteDelivered, lockPendingEvents, markPublished, unpublishOverdue } from './outbox.repository.ts';

const BATCH_SIZE = 100;
/** Longest time that an event of a crashed process waits, in milliseconds; others wake the relay. */
const POLL_INTERVAL_MS = 2_000;
/** Longest transaction, in milliseconds; the queue's own time-out is far below. */
const TRANSACTION_TIMEOUT_MS = 10_000;

const BACK_OFF = exponentialDelay({ firstMs: 200, longestMs: 3_000 });

/** Where the relay publishes the events. */
export type EventSink = Pick<QueueBackend, 'addJobs'>;

const publishBatch = (database: Database, queue: EventSink): Promise<number> =>
  database.$transaction(
    async (tx) => {
      const events = await lockPendingEvents(tx, BATCH_SIZE);
      if (events.length === 0) return 0;
      const jobs = events.map(({ type, payload, ...event }) => ({ ...event, name: type, data: payload }));
      const [name, options] = toMessageSpan('send', DOMAIN_EVENTS_QUEUE, { count: events.length });
      const traceParents = events.map(({ traceParent }) => traceParent);
      await inSpan(name, { ...options, traceParents }, async () => {
        await queue.addJobs(DOMAIN_EVENTS_QUEUE, jobs);
        await markPublished(
          tx,
          events.map((event) => event.id),
        );
      });
      return events.length;
    },
    { timeout: TRANSACTION_TIMEOUT_MS },
  );

/**
 * Publishes outbox events to the queue for as long as the process runs: woken after each commit, and by a timer.
 * Any number of replicas may run side by side. While the queue is unavailable the events stay in the outbox.
 *
 * A crash between the queue's response and the commit publishes a batch twice; the job's id, which is the event's,
 * makes the second a no-op.
 */
export const createOutboxRelay = (options: {
  database: Database;
  queue: EventSink;
  logger: Logger;
}): BackgroundLoop =>
  startBackgroundLoop({
    task: async () => (await publishBatch(options.database, options.queue)) === BATCH_SIZE,
    intervalMs: POLL_INTERVAL_MS,
    retryDelayMs: BACK_OFF,
    outageLog: createOutageLog(options.logger, 'event publishing'),
  });

/** Time after which a published event that did not arrive is published again, in milliseconds. */
const OVERDUE_MS = 60_000;
/** How long a delivered event stays in the outbox, in milliseconds; the stored events are the lasting record. */
const KEEP_MS = 3_600_000;
/** Age at which an event is deleted although its webhook was never delivered, in milliseconds. */
const GIVE_UP_MS = 7 * 24 * 3_600_000;
/** Events per round, so that a backlog does not cause one slow statement. */
const SWEEP_SIZE = 1_000;
const SWEEP_INTERVAL_MS = 10_000;

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
  republished: await unpublishOverdue(database, ages.overdueMs, SWEEP_SIZE),
  deleted: await deleteDelivered(database, { keepMs: ages.keepMs, giveUpMs: GIVE_UP_MS }, SWEEP_SIZE),
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
      return deleted === SWEEP_SIZE;
    },
    intervalMs: SWEEP_INTERVAL_MS,
    retryDelayMs: exponentialDelay({ firstMs: 1_000, longestMs: SWEEP_INTERVAL_MS }),
    outageLog: createOutageLog(options.logger, 'the outbox sweep'),
  });
