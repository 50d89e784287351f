import type { Maintenance } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import { forgetUnreadMessages } from '@mailsweep/mail/message-cache';
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
const startHourlyDeletion = (options: {
  subject: string;
  deleteBatch: () => Promise<boolean>;
  logger: Logger;
}): BackgroundLoop =>
  startBackgroundLoop({
    task: options.deleteBatch,
    intervalMs: INTERVAL_MS,
    outageLog: createOutageLog(options.logger, options.subject),
  });

/** Users whose messages are deleted at a time, so that no statement takes long. */
const USERS_AT_ONCE = 10;

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
      const { users, messages } = await forgetUnreadMessages(database, INACTIVE_DAYS, USERS_AT_ONCE);
      if (users > 0) logger.info({ users, messages }, 'deleted cached messages of inactive users');
      return users === USERS_AT_ONCE;
    },
    logger,
  });
};

/** Rows deleted at a time, so that no statement takes long. */
const ROWS_AT_ONCE = 1_000;

/** Deletes records that have expired, for as long as the process runs. */
export const startRecordRetention = (options: {
  maintenance: Maintenance;
  logger: Logger;
}): BackgroundLoop => {
  const { maintenance, logger } = options;
  return startHourlyDeletion({
    subject: 'the deletion of expired records',
    deleteBatch: async () => {
      const deleted = await maintenance.deleteExpiredRecords(ROWS_AT_ONCE);
      const counts = Object.values(deleted);
      if (counts.some((count) => count > 0)) logger.info(deleted, 'deleted expired records');
      return counts.includes(ROWS_AT_ONCE);
    },
    logger,
  });
};
