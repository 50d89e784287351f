import type { Database } from '@mailsweep/database';
import { forgetUnreadMessages } from '@mailsweep/mailbox-sync';
import type { BackgroundLoop, Logger } from '@mailsweep/service-kit';
import { startHourlyDeletion } from './hourly-deletion.ts';

/** Users whose messages are deleted at a time, so that no statement takes long. */
const BATCH_SIZE = 10;

/**
 * Deletes the cached messages of users who have not opened their mailbox for some days.
 *
 * @param options.days - days of inactivity after which messages are deleted
 */
export const createMessageCacheSweeper = (options: {
  database: Database;
  days: number;
  logger: Logger;
}): BackgroundLoop => {
  const { database, days, logger } = options;
  return startHourlyDeletion({
    subject: 'the deletion of cached messages',
    deleteBatch: async () => {
      const { users, messages } = await forgetUnreadMessages(database, days, BATCH_SIZE);
      if (users > 0) logger.info({ users, messages }, 'deleted cached messages of inactive users');
      return users === BATCH_SIZE;
    },
    logger,
  });
};
