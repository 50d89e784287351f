import type { Transaction } from '@mailsweep/database';
import type { ChosenPreferences } from '../preferences/preferences.repository.ts';
import { scheduleDigest } from './digest.repository.ts';
import { nextDigestAt } from './digest-schedule.ts';
import { DEFAULT_TIME_ZONE } from './record-notifications.ts';

/** Schedules the next digest after the user changed when there are any. The first one tells of what happens from now on. */
export const rescheduleDigest = async (
  tx: Transaction,
  userId: string,
  { before, after, nowMs }: { before: ChosenPreferences; after: ChosenPreferences; nowMs: number },
): Promise<void> => {
  const digest = after.notifications.digest;
  const timeZone = after.timeZone ?? DEFAULT_TIME_ZONE;
  const keys = ['every', 'hour', 'weekday'] as const;
  const isSame = keys.every((key) => digest[key] === before.notifications.digest[key]);
  if (isSame && timeZone === (before.timeZone ?? DEFAULT_TIME_ZONE)) return;
  await scheduleDigest(tx, userId, {
    dueAt: nextDigestAt(digest, timeZone, nowMs),
    ...(before.notifications.digest.every === 'off' && { since: new Date(nowMs) }),
  });
};
