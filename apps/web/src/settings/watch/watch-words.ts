import { plural, t } from '@lingui/core/macro';
import type { Watch } from '@mailsweep/contracts';
import { countEmails } from '../../email/counts.ts';
import { perLocale } from '../../language/current-locale.ts';
import { formatAgo, formatClock, formatShortDate } from '../../time/format-time.ts';

const MINUTES_PER_HOUR = 60;

const toUnit = (unit: 'minute' | 'hour') =>
  perLocale((locale) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }));
const minutesFormat = toUnit('minute');
const hoursFormat = toUnit('hour');

/** `15 min`, `3 hr`. */
export const formatInterval = (minutes: number): string =>
  minutes % MINUTES_PER_HOUR === 0
    ? hoursFormat().format(minutes / MINUTES_PER_HOUR)
    : minutesFormat().format(minutes);

const describeCounts = ({ since, newEmails, suggested }: NonNullable<Watch['total']>, now: Date): string => {
  const emails = countEmails(newEmails);
  const suggestions = plural(suggested, { one: '# with a suggestion', other: '# with suggestions' });
  const date = formatShortDate(new Date(since), now);
  return t`New since ${date}: ${emails}, ${suggestions}.`;
};

/** What the watch is at, in a sentence or two. */
export const describeWatch = ({ state, nextRunAt, lastRun, total }: Watch, now: Date): string => {
  if (state === 'off') return t`Off. Nothing is read while the app is closed.`;
  if (state === 'reconnect_required') {
    return t`Stopped: the connection to your mailbox must be renewed. Email that has arrived since is checked then.`;
  }
  if (state === 'waiting') {
    const time = nextRunAt ? formatClock(new Date(nextRunAt)) : '';
    return t`The last check did not succeed. The next one is at ${time}; no new email is missed.`;
  }
  if (!lastRun || !total) return t`The first check begins within seconds.`;
  const ago = formatAgo(new Date(lastRun.at), now);
  const counts = describeCounts(total, now);
  return t`Last checked ${ago}. ${counts}`;
};
