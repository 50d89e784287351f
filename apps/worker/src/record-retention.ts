import {
  deleteAbandonedLogins,
  deleteEndedSessions,
  deleteOldAuditEntries,
  deleteOldIdempotencyKeys,
} from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import {
  type BackgroundLoop,
  createOutageLog,
  exponentialDelay,
  startBackgroundLoop,
} from '@mailsweep/event-bus';
import type { Logger } from '@mailsweep/service-kit';

const INTERVAL_MS = 3_600_000;
/** Rows deleted at a time, so that no statement takes long. */
const BATCH_SIZE = 1_000;

/**
 * Deletes, for as long as the process runs, sessions that have ended, sign-ins that were never completed, audit
 * entries older than the given number of days, and idempotency keys with their responses after a day.
 */
export const startRecordRetention = (options: {
  database: Database;
  auditRetentionDays: number;
  logger: Logger;
}): BackgroundLoop => {
  const { database, auditRetentionDays, logger } = options;
  return startBackgroundLoop({
    task: async () => {
      const sessions = await deleteEndedSessions(database, BATCH_SIZE);
      const logins = await deleteAbandonedLogins(database, BATCH_SIZE);
      const auditEntries = await deleteOldAuditEntries(database, auditRetentionDays, BATCH_SIZE);
      const idempotencyKeys = await deleteOldIdempotencyKeys(database, BATCH_SIZE);
      const deleted = { sessions, logins, auditEntries, idempotencyKeys };
      const counts = Object.values(deleted);
      if (counts.some((count) => count > 0)) logger.info(deleted, 'deleted expired records');
      return counts.includes(BATCH_SIZE);
    },
    intervalMs: INTERVAL_MS,
    retryDelayMs: exponentialDelay({ firstMs: 1_000, longestMs: 60_000 }),
    outageLog: createOutageLog(logger, 'the deletion of expired records'),
  });
};
