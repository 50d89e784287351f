const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

// By hand, for the app speaks English alone: to make the formats of `Intl` keeps a slow phone busy for 100 ms and more.
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
/** Letters of a short name. */
const SHORT_LENGTH = 3;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

const weekdayOf = (date: Date): string => WEEKDAYS[date.getDay()] ?? '';
const monthOf = (date: Date): string => MONTHS[date.getMonth()] ?? '';

const toDayAndMonth = (date: Date): string => `${monthOf(date).slice(0, SHORT_LENGTH)} ${date.getDate()}`;
const toFullDate = (date: Date): string => `${toDayAndMonth(date)}, ${date.getFullYear()}`;

const startOfDay = (date: Date): Date => new Date(date.getFullYear(), date.getMonth(), date.getDate());

/** Whole calendar days from one date to a later one, by the clock on the wall. */
const daysBetween = (earlier: Date, later: Date): number =>
  Math.round((startOfDay(later).getTime() - startOfDay(earlier).getTime()) / DAY_MS);

/** Hours and minutes: `14:05`. */
export const formatClock = (date: Date): string =>
  `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;

/** `Tue`. */
export const formatWeekday = (date: Date): string => weekdayOf(date).slice(0, SHORT_LENGTH);

/** `Tuesday, February 3`. */
export const formatLongDay = (date: Date): string => `${weekdayOf(date)}, ${monthOf(date)} ${date.getDate()}`;

/** As a list shows it: `14:05` today, `Tue` this week, `Feb 3` this year, else `Feb 3, 2024`. */
export const formatShortDate = (date: Date, now: Date): string => {
  const days = daysBetween(date, now);
  if (days <= 0) return formatClock(date);
  if (days < 7) return formatWeekday(date);
  return date.getFullYear() === now.getFullYear() ? toDayAndMonth(date) : toFullDate(date);
};

/** As a sentence says it: `just now`, `5 min ago`, `3 h ago`, `yesterday`, `4 days ago`, `Feb 3, 2024`. */
export const formatAgo = (date: Date, now: Date): string => {
  const passedMs = now.getTime() - date.getTime();
  if (passedMs < MINUTE_MS) return 'just now';
  if (passedMs < HOUR_MS) return `${Math.floor(passedMs / MINUTE_MS)} min ago`;
  const days = daysBetween(date, now);
  if (days === 0) return `${Math.floor(passedMs / HOUR_MS)} h ago`;
  if (days === 1) return 'yesterday';
  if (days < 7) return `${days} days ago`;
  return toFullDate(date);
};

/** Everything: weekday, date, year and time. */
export const formatExact = (date: Date): string =>
  `${formatLongDay(date)}, ${date.getFullYear()} at ${formatClock(date)}`;

/** Heading of a day in a timeline: `Today`, `Yesterday`, `Tuesday, February 3`. */
export const formatDay = (date: Date, now: Date): string => {
  const days = daysBetween(date, now);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return date.getFullYear() === now.getFullYear() ? formatLongDay(date) : toFullDate(date);
};

/** Identifies a calendar day, for example `2026-02-03`. */
export const toDayKey = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join('-');
