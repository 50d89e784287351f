import type { Transaction } from '@mailsweep/database';
import type { ChosenPreferences } from '../preferences/preferences.repository.ts';
import { findDigestDueAt, scheduleDigest } from './digest.repository.ts';
import { nextDigestAt } from './digest-schedule.ts';
import { toInstants, toLocalTime } from './local-time.ts';
import { rescheduleHeldNotifications } from './notification.repository.ts';
import { findQuietEnd } from './quiet-hours.ts';
import { DEFAULT_TIME_ZONE } from './record-notifications.ts';

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
