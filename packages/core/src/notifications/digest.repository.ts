import type { DigestContent } from '@mailsweep/contracts';
import type { Database, Transaction } from '@mailsweep/database';
import type { TextCipher } from '@mailsweep/mail/message-cache';
import type { LeasedWork } from '../due-work/due-work.repository.ts';
import { listPeerIds } from '../owners/owners.repository.ts';
import { type ChosenPreferences, findPreferences } from '../preferences/preferences.repository.ts';
import { fromCachedEmails } from '../suggestions/cached-emails.repository.ts';
import { hasOpenSuggestion } from '../suggestions/groups/suggestion-filter.repository.ts';
import { findQuietEnd, nextDigestAt, toInstants, toLocalTime } from './local-time.ts';
import { insertNotifications, rescheduleHeldNotifications } from './notification.repository.ts';
import { DEFAULT_TIME_ZONE, isWanted, toNewNotification } from './record-notifications.ts';

/** From when on a digest that is leased to this process tells; locked for the transaction. */
const findLeasedDigest = async (
  tx: Transaction,
  { userId, leaseId }: LeasedWork,
): Promise<{ since: Date } | null> => {
  const [row] = await tx.$queryRaw<{ since: Date }[]>`
    SELECT coalesce("digestSince", "digestDueAt") AS "since" FROM "UserPreferences"
    WHERE "userId" = ${userId}::uuid AND "leaseId" = ${leaseId}::uuid AND "digestDueAt" IS NOT NULL FOR NO KEY UPDATE`;
  return row ?? null;
};

/** When the next digest of a user is due; null when none is. */
const findDigestDueAt = async (tx: Transaction, userId: string): Promise<Date | null> => {
  const row = await tx.userPreferences.findUnique({ where: { userId }, select: { digestDueAt: true } });
  return row?.digestDueAt ?? null;
};

/** Says when the next digest is due and, if it changes, from when on it tells. */
const scheduleDigest = async (
  tx: Transaction,
  userId: string,
  { dueAt, since }: { dueAt: Date | null; since?: Date },
): Promise<void> => {
  await tx.userPreferences.updateMany({
    where: { userId },
    data: { digestDueAt: dueAt, ...(since && { digestSince: since }) },
  });
};

/** What a digest tells about the time from `since` until `until`, of all these mailboxes. */
const countForDigest = async (
  tx: Transaction,
  userIds: readonly string[],
  period: { since: Date; until: Date },
): Promise<DigestContent> => {
  const sum = { arrived: 0, cleaned: 0, byRules: 0, waiting: 0 };
  for (const userId of userIds) {
    const counts = await countOfMailbox(tx, userId, period);
    for (const name of Object.keys(sum) as (keyof DigestContent)[]) sum[name] += counts[name];
  }
  return sum;
};

const countOfMailbox = async (
  tx: Transaction,
  userId: string,
  { since, until }: { since: Date; until: Date },
): Promise<DigestContent> => {
  const [counts] = await tx.$queryRaw<[DigestContent]>`
    SELECT
      (SELECT count(*)::int FROM "CachedMessage"
        WHERE "userId" = ${userId}::uuid AND "receivedAt" > ${since} AND "receivedAt" <= ${until}
          AND NOT "labels" && '{SENT,DRAFT,SPAM,CHAT}'::text[]) AS "arrived",
      cleaned.*,
      (SELECT count(*)::int ${fromCachedEmails(userId)} AND ${hasOpenSuggestion({})}) AS "waiting"
    FROM (
      SELECT (count(*) FILTER (WHERE "source" IS DISTINCT FROM 'rule'))::int AS "cleaned",
        (count(*) FILTER (WHERE "source" = 'rule'))::int AS "byRules"
      FROM (
        SELECT DISTINCT ON ("emailId" COLLATE "C") "source" FROM "ActionHistory"
        WHERE "userId" = ${userId}::uuid AND "undoneAt" IS NULL AND "effect" IS NOT NULL
          AND "timestamp" > ${since} AND "timestamp" <= ${until}
        ORDER BY "emailId" COLLATE "C", "timestamp" DESC, "id" DESC) AS done) AS cleaned`;
  return counts;
};

/**
 * Records a digest that is leased to this process, unless there is nothing to say, and schedules the next one: in one
 * transaction, so that a digest is neither lost nor recorded twice. A user has one on a local date, whatever happens to
 * the clock, the hour or the time zone. Of several mailboxes of an owner the first one has it, and tells of all.
 *
 * @returns whether there was something to say
 */
export const takeDigest = (
  { database, cipher }: { database: Database; cipher: TextCipher },
  work: LeasedWork,
  nowMs: number,
): Promise<boolean> =>
  database.$transaction(async (tx) => {
    const now = new Date(nowMs);
    const { userId } = work;
    const due = await findLeasedDigest(tx, work);
    // It was switched off, or another process has taken it over.
    if (due === null) return false;
    const { since } = due;
    const preferences = await findPreferences(tx, userId);
    const { notifications } = preferences;
    const timeZone = preferences.timeZone ?? DEFAULT_TIME_ZONE;
    const schedule = (next: { since: Date }) =>
      scheduleDigest(tx, userId, {
        dueAt: nextDigestAt(notifications.digest, timeZone, nowMs),
        ...next,
      });
    const peers = await listPeerIds(tx, userId);
    if (peers[0] !== userId) {
      await schedule({ since: now });
      return false;
    }
    const content = await countForDigest(tx, peers, { since, until: now });
    const isWorthIt = content.arrived + content.cleaned + content.byRules > 0;
    if (!isWorthIt || !isWanted(notifications, 'digest')) {
      await schedule({ since: now });
      return false;
    }
    const notification = toNewNotification(cipher, preferences, {
      userId,
      kind: 'digest',
      key: `digest:${toLocalTime(nowMs, timeZone).date}`,
      content,
      nowMs,
    });
    const isRecorded = (await insertNotifications(tx, [notification])) > 0;
    await schedule({ since: isRecorded ? now : since });
    return isRecorded;
  });

interface Change {
  before: ChosenPreferences;
  after: ChosenPreferences;
  nowMs: number;
}

/** Applies changed quiet hours, digests and time zones to what was to be sent later. */
export const rescheduleNotifications = async (
  tx: Transaction,
  userId: string,
  change: Change,
): Promise<void> => {
  await rescheduleDigest(tx, userId, change);
  const { quietHours } = change.after.notifications;
  const quietEnd = findQuietEnd(quietHours, toTimeZone(change.after), change.nowMs);
  await rescheduleHeldNotifications(tx, userId, quietEnd ?? new Date(change.nowMs));
};

/** The first digest covers what happens from now on. */
const rescheduleDigest = async (
  tx: Transaction,
  userId: string,
  { before, after, nowMs }: Change,
): Promise<void> => {
  const { digest } = after.notifications;
  const keys = ['every', 'hour', 'weekday'] as const;
  const isSame = keys.every((key) => digest[key] === before.notifications.digest[key]);
  if (isSame && toTimeZone(after) === toTimeZone(before)) return;
  const formerDueAt = await findDigestDueAt(tx, userId);
  const isOverdue = formerDueAt !== null && isDayPassed(formerDueAt, { before, after, nowMs });
  await scheduleDigest(tx, userId, {
    // The digest of a day is not left out because its new hour has passed already.
    dueAt: isOverdue ? new Date(nowMs) : nextDigestAt(digest, toTimeZone(after), nowMs),
    ...(before.notifications.digest.every === 'off' && { since: new Date(nowMs) }),
  });
};

/** Whether the day of a digest is still one of digests, and its hour has passed. */
const isDayPassed = (formerDueAt: Date, { before, after, nowMs }: Change): boolean => {
  const { every, hour, weekday } = after.notifications.digest;
  const day = toLocalTime(formerDueAt.getTime(), toTimeZone(before));
  const [hourMs = Infinity] = toInstants(day.date, hour * 60, toTimeZone(after));
  return every !== 'off' && (every === 'daily' || day.weekday === weekday) && hourMs <= nowMs;
};

const toTimeZone = ({ timeZone }: ChosenPreferences): string => timeZone ?? DEFAULT_TIME_ZONE;
