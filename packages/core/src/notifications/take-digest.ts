import type { Database } from '@mailsweep/database';
import type { TextCipher } from '@mailsweep/message-cache';
import type { LeasedWork } from '../due-work/due-work.repository.ts';
import { findPreferences } from '../preferences/preferences.repository.ts';
import { countForDigest, findLeasedDigest, scheduleDigest } from './digest.repository.ts';
import { nextDigestAt } from './digest-schedule.ts';
import { toLocalTime } from './local-time.ts';
import { insertNotifications } from './notification.repository.ts';
import { DEFAULT_TIME_ZONE, isWanted, toNewNotification } from './record-notifications.ts';

/**
 * Records a digest that is leased to this process, unless there is nothing to say, and schedules the next one: in one
 * transaction, so that a digest is neither lost nor recorded twice. A user has one on a local date, whatever happens to
 * the clock, the hour or the time zone.
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
    const content = await countForDigest(tx, userId, { since, until: now });
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
