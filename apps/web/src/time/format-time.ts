const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const CLOCK = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const WEEKDAY = new Intl.DateTimeFormat('en', { weekday: 'short' });
const DAY_AND_MONTH = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });
const FULL_DATE = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });
const EXACT = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short', hourCycle: 'h23' });
const LONG_DAY = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' });

const startOfDay = (date: Date): Date => new Date(date.getFullYear(), date.getMonth(), date.getDate());

/** Whole calendar days from one date to a later one, by the clock on the wall. */
const daysBetween = (earlier: Date, later: Date): number =>
  Math.round((startOfDay(later).getTime() - startOfDay(earlier).getTime()) / DAY_MS);

/** As a list shows it: `14:05` today, `Tue` this week, `3 Feb` this year, else `3 Feb 2024`. */
export const formatShortDate = (date: Date, now: Date): string => {
  const days = daysBetween(date, now);
  if (days <= 0) return CLOCK.format(date);
  if (days < 7) return WEEKDAY.format(date);
  return date.getFullYear() === now.getFullYear() ? DAY_AND_MONTH.format(date) : FULL_DATE.format(date);
};

/** As a sentence says it: `just now`, `5 min ago`, `3 h ago`, `yesterday`, `4 days ago`, `3 Feb 2024`. */
export const formatAgo = (date: Date, now: Date): string => {
  const passedMs = now.getTime() - date.getTime();
  if (passedMs < MINUTE_MS) return 'just now';
  if (passedMs < HOUR_MS) return `${Math.floor(passedMs / MINUTE_MS)} min ago`;
  const days = daysBetween(date, now);
  if (days === 0) return `${Math.floor(passedMs / HOUR_MS)} h ago`;
  if (days === 1) return 'yesterday';
  if (days < 7) return `${days} days ago`;
  return FULL_DATE.format(date);
};

/** Everything: weekday, date, year and time. */
export const formatExact = (date: Date): string => EXACT.format(date);

/** Hours and minutes. */
export const formatClock = (date: Date): string => CLOCK.format(date);

/** Heading of a day in a timeline: `Today`, `Yesterday`, `Tuesday, 3 February`. */
export const formatDay = (date: Date, now: Date): string => {
  const days = daysBetween(date, now);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return date.getFullYear() === now.getFullYear() ? LONG_DAY.format(date) : FULL_DATE.format(date);
};

/** Tells calendar days apart, for example `2026-02-03`. */
export const toDayKey = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
