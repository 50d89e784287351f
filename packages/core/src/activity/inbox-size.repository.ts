import { type Activity, MAX_INBOX_SIZES } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import type { InboxCount } from '@mailsweep/mailbox';

/**
 * Stores how many emails a user's inbox has today (UTC), in place of what was stored for today before.
 *
 * @throws an error for which `isOwnerMissing` holds when the user was erased meanwhile
 */
export const saveInboxSize = async (
  database: Database,
  userId: string,
  { total, unread }: InboxCount,
): Promise<void> => {
  await database.$executeRaw`
    INSERT INTO "InboxSize" ("userId", "day", "total", "unread")
    VALUES (${userId}::uuid, (now() AT TIME ZONE 'UTC')::date, ${total}, ${unread})
    ON CONFLICT ("userId", "day") DO UPDATE SET "total" = excluded."total", "unread" = excluded."unread"`;
};

/**
 * The sizes of a user's inbox, oldest first, the newest of them if there are too many.
 *
 * @param hours - only days of the last so many hours; null for all
 */
export const listInboxSizes = (
  database: Database,
  userId: string,
  hours: number | null,
): Promise<Activity['inboxSizes']> =>
  database.$queryRaw`
    SELECT * FROM (
      SELECT "day"::text AS "day", "total", "unread" FROM "InboxSize"
      WHERE "userId" = ${userId}::uuid
        AND "day" >= coalesce(((now() - make_interval(hours => ${hours}::int)) AT TIME ZONE 'UTC')::date, '-infinity')
      ORDER BY "InboxSize"."day" DESC LIMIT ${MAX_INBOX_SIZES}
    ) AS newest ORDER BY "day"`;
