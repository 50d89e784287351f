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
import { lockPendingEvents, markPublished } from './outbox.repository.ts';

/** Events published in one transaction. */
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
