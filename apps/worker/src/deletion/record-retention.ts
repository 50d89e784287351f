import {
  deleteAbandonedLogins,
  deleteEndedSessions,
  deleteEndedTokens,
  deleteExpiredEvents,
  deleteExpiredHistory,
  deleteExpiredSuggestions,
  deleteOldAuditEntries,
  deleteOldAuthorizationRequests,
  deleteOldCleanups,
  deleteOldIdempotencyKeys,
  deleteOldNotifications,
} from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import type { BackgroundLoop, Logger } from '@mailsweep/service-kit';
import { startHourlyDeletion } from './hourly-deletion.ts';

/** Rows deleted at a time, so that no statement takes long. */
const BATCH_SIZE = 1_000;
/** How long entries of the audit trail are kept, in days. */
const AUDIT_DAYS = 180;
/** How long finished cleanups are kept, in days; their history records stay. */
const CLEANUP_DAYS = 30;
/** How long it is known that a user was told of something, in days; email that the watch finds is younger. */
const NOTIFICATION_DAYS = 90;

/**
 * Deletes, for as long as the process runs, sessions that have ended, personal access tokens that
 * ended a month ago, sign-ins that were never completed, requests of programs for a token, old audit entries,
 * idempotency keys with their responses after a day, plans that have expired, cleanups that finished long ago, notifications that ended long ago, and of users who chose so what is older
 * than they keep their history.
 */
export const startRecordRetention = (options: { database: Database; logger: Logger }): BackgroundLoop => {
  const { database, logger } = options;
  return startHourlyDeletion({
    subject: 'the deletion of expired records',
    deleteBatch: async () => {
      const sessions = await deleteEndedSessions(database, BATCH_SIZE);
      const tokens = await deleteEndedTokens(database, BATCH_SIZE);
      const logins = await deleteAbandonedLogins(database, BATCH_SIZE);
      const authorizations = await deleteOldAuthorizationRequests(database, BATCH_SIZE);
      const auditEntries = await deleteOldAuditEntries(database, AUDIT_DAYS, BATCH_SIZE);
      const idempotencyKeys = await deleteOldIdempotencyKeys(database, BATCH_SIZE);
      const cleanups = await deleteOldCleanups(database, CLEANUP_DAYS);
      const notifications = await deleteOldNotifications(database, NOTIFICATION_DAYS, BATCH_SIZE);
      const suggestions = await deleteExpiredSuggestions(database, BATCH_SIZE);
      const events = await deleteExpiredEvents(database, BATCH_SIZE);
      // A suggestion must not come back because the record of its rejection went first.
      const records = suggestions < BATCH_SIZE ? await deleteExpiredHistory(database, BATCH_SIZE) : 0;
      const deleted = {
        sessions,
        tokens,
        logins,
        authorizations,
        auditEntries,
        idempotencyKeys,
        cleanups,
        notifications,
        suggestions,
        events,
        records,
      };
      const counts = Object.values(deleted);
      if (counts.some((count) => count > 0)) logger.info(deleted, 'deleted expired records');
      return counts.includes(BATCH_SIZE);
    },
    logger,
  });
};
