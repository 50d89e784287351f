import type { Database } from '@mailsweep/database';

/**
 * Deletes the cached messages of users who have not read their mailbox for so many days. Their next read begins a
 * new generation, so that no overview takes what is left for the whole mailbox.
 *
 * @param limit - most users at a time
 * @returns how many users that were, and how many messages
 */
export const forgetUnreadMessages = async (
  database: Database,
  days: number,
  limit: number,
): Promise<{ users: number; messages: number }> => {
  const [counts] = await database.$queryRaw<[{ users: number; messages: number }]>`
    WITH unread AS (
      UPDATE "MailboxSync" SET "generation" = "generation" + 1 WHERE "userId" IN (
        SELECT "userId" FROM "MailboxSync" AS sync
        WHERE "syncedAt" < now() - make_interval(days => ${days}::int)
          AND EXISTS (SELECT FROM "CachedMessage" AS cached WHERE cached."userId" = sync."userId")
        ORDER BY "syncedAt" LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING "userId"),
    forgotten AS (
      DELETE FROM "CachedMessage" AS cached USING unread WHERE cached."userId" = unread."userId" RETURNING 1)
    SELECT (SELECT count(*)::int FROM unread) AS "users", (SELECT count(*)::int FROM forgotten) AS "messages"`;
  return counts;
};
