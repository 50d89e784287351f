import { t } from '@lingui/core/macro';
import { currentLocale, perLocale } from '../language/current-locale.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

// Made on first use: each takes a slow phone 10 ms and more.
const toFormat = (options: Intl.DateTimeFormatOptions): ((date: Date) => string) => {
  const format = perLocale((locale) => new Intl.DateTimeFormat(locale, options));
  return (date) => format().format(date);
};

/** Hours and minutes: `14:05` or `2:05 PM`, as the user's region writes it. */
export const formatClock = toFormat({ timeStyle: 'short' });

/** `Tue`. */
export const formatWeekday = toFormat({ weekday: 'short' });

/** `Tuesday`. */
export const formatLongWeekday = toFormat({ weekday: 'long' });

/** `Tuesday, February 3`. */
export const formatLongDay = toFormat({ weekday: 'long', month: 'long', day: 'numeric' });

/** Weekday, date, year and time. */
export const formatExact = toFormat({ dateStyle: 'full', timeStyle: 'short' });

const formatDayAndMonth = toFormat({ month: 'short', day: 'numeric' });
const formatFullDate = toFormat({ dateStyle: 'medium' });
const relative = perLocale(
  (locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }),
);

const startOfDay = (date: Date): Date => new Date(date.getFullYear(), date.getMonth(), date.getDate());

/** Calendar days between two dates, in local time. */
const daysBetween = (earlier: Date, later: Date): number =>
  Math.round((startOfDay(later).getTime() - startOfDay(earlier).getTime()) / DAY_MS);

/** As a list shows it: the time today, `Tue` in the last days, `Feb 3` this year, else `Feb 3, 2024`. */
export const formatShortDate = (date: Date, now: Date): string => {
  const days = daysBetween(date, now);
  if (days === 0) return formatClock(date);
  if (days > 0 && days < 7) return formatWeekday(date);
  return date.getFullYear() === now.getFullYear() ? formatDayAndMonth(date) : formatFullDate(date);
};

/** As a sentence says it: `just now`, `5 min. ago`, `3 hr. ago`, `yesterday`, `4 days ago`, `Feb 3, 2024`. */
export const formatAgo = (date: Date, now: Date): string => {
  const passedMs = now.getTime() - date.getTime();
  if (passedMs < -DAY_MS) return formatFullDate(date);
  if (passedMs < MINUTE_MS) return t`just now`;
  if (passedMs < HOUR_MS) return relative().format(-Math.floor(passedMs / MINUTE_MS), 'minute');
  const days = daysBetween(date, now);
  if (days === 0) return relative().format(-Math.floor(passedMs / HOUR_MS), 'hour');
  return days < 7 ? relative().format(-days, 'day') : formatFullDate(date);
};

const capitalise = (text: string): string =>
  text.charAt(0).toLocaleUpperCase(currentLocale()) + text.slice(1);

/** Heading of a day in a timeline: `Today`, `Yesterday`, `Tuesday, February 3`. */
export const formatDay = (date: Date, now: Date): string => {
  const days = daysBetween(date, now);
  if (days === 0 || days === 1) return capitalise(relative().format(-days, 'day'));
  return date.getFullYear() === now.getFullYear() ? formatLongDay(date) : formatFullDate(date);
};

const twoDigits = (value: number): string => String(value).padStart(2, '0');

export const toDayKey = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join('-');

const FORMATS = { short: formatShortDate, ago: formatAgo, clock: (date: Date) => formatClock(date) };

/** Tells of an email that was sent at another time than it was received, which counts. */
export const describeSent = (sent: string): string =>
  t`${{ sent: formatExact(new Date(sent)) }}, as it says; ages count from when it was received`;

/** A moment, relative or short; the exact time on hover. An asterisk stands where an email was sent at another time. */
export const Timestamp = (props: {
  value: string;
  sent?: string | undefined;
  style: keyof typeof FORMATS;
  className?: string;
}) => {
  const { value, sent, style, className } = props;
  const date = new Date(value);
  const exact = formatExact(date);
  return (
    <time
      dateTime={value}
      title={sent ? t`Received: ${exact}. Sent: ${{ sent: describeSent(sent) }}.` : exact}
      className={className}
    >
      {FORMATS[style](date, new Date())}
      {sent && '*'}
    </time>
  );
};
