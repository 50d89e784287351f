import type { Database } from '@mailsweep/database';
import type { TextCipher } from '@mailsweep/mailbox-sync';
import { findPreferences } from '../preferences/preferences.repository.ts';
import { claimDueDigest, countForDigest, scheduleDigest } from './digest.repository.ts';
import { nextDigestAt } from './digest-schedule.ts';
import { toLocalTime } from './local-time.ts';
import { insertNotifications } from './notification.repository.ts';
import { DEFAULT_TIME_ZONE, isWanted, toNewNotification } from './record-notifications.ts';

/**
 * Records the digest that has been due the longest, unless there is nothing to say, and schedules the next one: in one
 * transaction, so that a digest is neither lost nor recorded twice. A user has one on a local date, whatever happens to
 * the clock, the hour or the time zone.
 *
 * @returns what became of it; null when none is due
 */
export const takeDueDigest = (
  { database, cipher }: { database: Database; cipher: TextCipher },
  nowMs: number,
): Promise<{ userId: string; isRecorded: boolean } | null> =>
  database.$transaction(async (tx) => {
    const now = new Date(nowMs);
    const due = await claimDueDigest(tx, now);
    if (due === null) return null;
    const { userId, since } = due;
    const preferences = await findPreferences(tx, userId);
    const { notifications } = preferences;
    const timeZone = preferences.timeZone ?? DEFAULT_TIME_ZONE;
    const schedule = (next: { since: Date }) =>
      scheduleDigest(tx, userId, {
        dueAt: nextDigestAt(notifications.digest, timeZone, nowMs),
        ...next,
      });
    const content = await countForDigest(tx, userId, { since, until: now });
    const isWorthIt = content.arrived + content.cleaned + content.byRules > 0;
    if (!isWorthIt || !isWanted(notifications, 'digest')) {
      await schedule({ since: now });
      return { userId, isRecorded: false };
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
    return { userId, isRecorded };
  });
