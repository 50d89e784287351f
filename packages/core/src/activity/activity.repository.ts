import {
  type Activity,
  ActivitySchema,
  MAX_ACTIVITY_DECISIONS,
  MAX_INBOX_SIZES,
  SUMMARY_WINDOW_HOURS,
  type SummaryPeriod,
} from '@mailsweep/contracts';
import { type Database, Prisma } from '@mailsweep/database';
import type { InboxCount } from '@mailsweep/mail/mailbox';

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
const listInboxSizes = (
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

type CleaningActivity = Omit<Activity, 'period' | 'inboxSizes'>;

interface ActivityRow {
  emails: number;
  bytes: number;
  senders: number;
  silencedSenders: number;
  byAction: unknown;
  bySource: unknown;
  decisions: unknown;
}

const { byAction, bySource, decisions } = ActivitySchema.shape;

/**
 * What a user has cleaned and decided. Records are read from two partial indexes alone, in the order of emails, so that
 * nothing is sorted. An email counts once, by the last record that is not undone. Only what changed the mailbox counts as
 * cleaned; an accepted suggestion counts as what it did.
 *
 * @param hours - only records of the last so many hours; null for all
 */
const summarizeCleaning = async (
  database: Database,
  userId: string,
  hours: number | null,
): Promise<CleaningActivity> => {
  const isWithin =
    hours === null
      ? Prisma.empty
      : Prisma.sql`AND "timestamp" >= now() - make_interval(hours => ${hours}::int)`;
  const [row] = await database.$queryRaw<[ActivityRow]>`
    WITH cleaned AS (
      SELECT DISTINCT ON ("emailId" COLLATE "C") "emailId", "effect", "source" FROM "ActionHistory"
      WHERE "userId" = ${userId}::uuid AND "undoneAt" IS NULL AND "effect" IS NOT NULL ${isWithin}
      ORDER BY "emailId" COLLATE "C", "timestamp" DESC, "id" DESC
    ), counted AS MATERIALIZED (
      -- Size and sender of a message never change, so the generation of the cache does not matter.
      SELECT message."senderKey", cleaned."effect", cleaned."source", count(*) AS "emails",
        sum(message."sizeBytes") FILTER (WHERE cleaned."effect" = 'delete') AS "bytes",
        GROUPING(message."senderKey") = 0 AS "isBySender"
      FROM cleaned LEFT JOIN "CachedMessage" AS message
        ON message."userId" = ${userId}::uuid AND message."emailId" = cleaned."emailId"
      GROUP BY GROUPING SETS ((message."senderKey"), (cleaned."effect"), (cleaned."source"))
    ), sender AS MATERIALIZED (
      SELECT "senderKey", "bytes" FROM counted WHERE "senderKey" <> ''
    ), silenced AS (
      SELECT "senderKey" FROM sender
      EXCEPT
      SELECT message."senderKey"
      FROM "CachedMessage" AS message
      WHERE message."userId" = ${userId}::uuid AND message."isInInbox" AND NOT message."isHidden"
    ), decided AS (
      SELECT DISTINCT ON ("emailId" COLLATE "C") "action", "classification" FROM "ActionHistory"
      WHERE "userId" = ${userId}::uuid AND "undoneAt" IS NULL AND "action" IN ('accept', 'reject') ${isWithin}
      ORDER BY "emailId" COLLATE "C", "timestamp" DESC, "id" DESC
    ), decision AS (
      SELECT "classification", count(*) FILTER (WHERE "action" = 'accept') AS "accepted",
        count(*) FILTER (WHERE "action" = 'reject') AS "rejected"
      FROM decided WHERE "classification" IS NOT NULL
      GROUP BY "classification" ORDER BY count(*) DESC, "classification" COLLATE "C" LIMIT ${MAX_ACTIVITY_DECISIONS}
    )
    SELECT (SELECT coalesce(sum("emails"), 0)::int FROM counted WHERE "isBySender") AS "emails",
      (SELECT coalesce(jsonb_object_agg("effect", "emails"), '{}') FROM counted WHERE "effect" IS NOT NULL) AS "byAction",
      (SELECT coalesce(jsonb_object_agg("source", "emails"), '{}') FROM counted WHERE "source" IS NOT NULL) AS "bySource",
      (SELECT coalesce(sum("bytes"), 0)::float8 FROM sender) AS "bytes",
      (SELECT count(*)::int FROM sender) AS "senders",
      (SELECT count(*)::int FROM silenced) AS "silencedSenders",
      (SELECT coalesce(jsonb_agg(to_jsonb(decision)), '[]') FROM decision) AS "decisions"`;
  return {
    cleaned: { emails: row.emails, bytes: row.bytes, senders: row.senders },
    byAction: byAction.parse(row.byAction),
    bySource: bySource.parse(row.bySource),
    decisions: decisions.parse(row.decisions),
    silencedSenders: row.silencedSenders,
  };
};

/** What a user has done with Mailsweep, and how the inbox has changed meanwhile. */
export const getActivity = async (
  database: Database,
  userId: string,
  period: SummaryPeriod | undefined,
): Promise<Activity> => {
  const hours = period === undefined ? null : SUMMARY_WINDOW_HOURS[period];
  const [cleaning, inboxSizes] = await Promise.all([
    summarizeCleaning(database, userId, hours),
    listInboxSizes(database, userId, hours),
  ]);
  return { period: period ?? null, ...cleaning, inboxSizes };
};
