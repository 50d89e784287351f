import type { Database } from '@mailsweep/database';
import { forgetUnreadMessages } from '@mailsweep/message-cache';
import type { BackgroundLoop, Logger } from '@mailsweep/service-kit';
import { startHourlyDeletion } from './hourly-deletion.ts';

/** Users whose messages are deleted at a time, so that no statement takes long. */
const BATCH_SIZE = 10;

/** Days without a visit to the mailbox after which its messages are deleted. */
const INACTIVE_DAYS = 90;

/** Deletes the cached messages of users who have not opened their mailbox for a long time. */
export const createMessageCacheSweeper = (options: {
  database: Database;
  logger: Logger;
}): BackgroundLoop => {
  const { database, logger } = options;
  return startHourlyDeletion({
    subject: 'the deletion of cached messages',
    deleteBatch: async () => {
      const { users, messages } = await forgetUnreadMessages(database, INACTIVE_DAYS, BATCH_SIZE);
      if (users > 0) logger.info({ users, messages }, 'deleted cached messages of inactive users');
      return users === BATCH_SIZE;
    },
    logger,
  });
};
