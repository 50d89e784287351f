import type { Database } from '@mailsweep/database';
import {
  type BackgroundLoop,
  createOutageLog,
  exponentialDelay,
  startBackgroundLoop,
} from '@mailsweep/event-bus';
import { forgetUnreadMessages } from '@mailsweep/mailbox-sync';
import type { Logger } from '@mailsweep/service-kit';

const INTERVAL_MS = 3_600_000;
/** People whose messages are forgotten at a time, so that no statement takes long. */
const BATCH_SIZE = 10;

/**
 * Forgets, for as long as the process runs, the kept messages of people who have not looked at their mailbox for long.
 *
 * @param options.days - how long messages are kept that nobody looks at
 */
export const createMessageCacheSweeper = (options: {
  database: Database;
  days: number;
  logger: Logger;
}): BackgroundLoop => {
  const { database, days, logger } = options;
  return startBackgroundLoop({
    task: async () => {
      const { people, messages } = await forgetUnreadMessages(database, days, BATCH_SIZE);
      if (people > 0) logger.info({ people, messages }, 'forgot messages that nobody has looked at for long');
      return people === BATCH_SIZE;
    },
    intervalMs: INTERVAL_MS,
    retryDelayMs: exponentialDelay({ firstMs: 1_000, longestMs: 60_000 }),
    outageLog: createOutageLog(logger, 'the message cache sweep'),
  });
};
