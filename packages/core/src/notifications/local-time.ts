import type { NotificationPreferences, QuietHours } from '@mailsweep/contracts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** What a clock on the wall shows. */
interface LocalTime {
  /** Such as `2026-01-31`. */
  date: string;
  /** Minutes since midnight, from 0 to 1439. */
  minutes: number;
  /** 1 is Monday, 7 is Sunday. */
  weekday: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', {
      timeZone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
    formats.set(timeZone, format);
  }
  return format;
};

/** The time of the wall clock of a time zone, as if it were UTC, in milliseconds; exact to the minute. */
const toWallMs = (atMs: number, timeZone: string): number => {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const read = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'));
};

const toDate = (wallMs: number): string => new Date(wallMs).toISOString().slice(0, 10);

/** What the wall clock of a time zone shows at an instant. */
export const toLocalTime = (atMs: number, timeZone: string): LocalTime => {
  const wallMs = toWallMs(atMs, timeZone);
  return {
    date: toDate(wallMs),
    minutes: (wallMs % DAY_MS) / MINUTE_MS,
    weekday: new Date(wallMs).getUTCDay() || 7,
  };
};

/** The date so many days after another one. */
const addDays = (date: string, days: number): string =>
  toDate(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS);

/**
 * The instants at which the wall clock of a time zone shows a time, in milliseconds, the first one first: two where the
 * clock is put back over it. A time that the clock skips counts as so much later.
 */
export const toInstants = (date: string, minutes: number, timeZone: string): number[] => {
  const wallMs = Date.parse(`${date}T00:00:00Z`) + minutes * MINUTE_MS;
  const offsets = [wallMs - DAY_MS, wallMs + DAY_MS].map((ms) => toWallMs(ms, timeZone) - ms);
  const candidates = [...new Set(offsets)].map((offset) => wallMs - offset).toSorted((a, b) => a - b);
  const exact = candidates.filter((ms) => toWallMs(ms, timeZone) === wallMs);
  return exact.length > 0 ? exact : candidates.slice(-1);
};

/** The next instant at which the wall clock of a time zone shows a time of day, in milliseconds. */
export const nextInstant = (afterMs: number, minutes: number, timeZone: string): number => {
  const { date } = toLocalTime(afterMs, timeZone);
  for (let day = 0; ; day += 1) {
    const found = toInstants(addDays(date, day), minutes, timeZone).find((ms) => ms > afterMs);
    if (found !== undefined) return found;
  }
};

const DAYS = { daily: 1, weekly: 7 };

/** When the next digest is due; null while they are off. */
export const nextDigestAt = (
  { every, hour, weekday }: NotificationPreferences['digest'],
  timeZone: string,
  afterMs: number,
): Date | null => {
  if (every === 'off') return null;
  const today = toLocalTime(afterMs, timeZone);
  const offset = every === 'weekly' ? (weekday - today.weekday + 7) % 7 : 0;
  for (let days = offset; ; days += DAYS[every]) {
    // Of two hours with the same name, the first one counts.
    const [firstMs = 0] = toInstants(addDays(today.date, days), hour * 60, timeZone);
    if (firstMs > afterMs) return new Date(firstMs);
  }
};

const toMinutes = (clockTime: string): number => {
  const [hours = 0, minutes = 0] = clockTime.split(':').map(Number);
  return hours * 60 + minutes;
};

/** Clocks are put forward or back at a quarter of an hour. */
const QUARTER_MS = 15 * 60_000;

/** When the quiet hours end that an instant is in; null when it is in none. */
export const findQuietEnd = (quietHours: QuietHours, timeZone: string, atMs: number): Date | null => {
  if (quietHours === null) return null;
  const [from, to] = [toMinutes(quietHours.from), toMinutes(quietHours.to)];
  const { minutes } = toLocalTime(atMs, timeZone);
  const isQuiet = from < to ? minutes >= from && minutes < to : minutes >= from || minutes < to;
  return isQuiet ? new Date(nextInstant(atMs, to, timeZone)) : null;
};

/**
 * The next instant that is in quiet hours; null when there are none. Where the clock is changed, it may lead into them, or
 * skip them.
 */
export const findQuietStart = (quietHours: QuietHours, timeZone: string, atMs: number): Date | null => {
  if (quietHours === null) return null;
  const startMs = nextInstant(atMs, toMinutes(quietHours.from), timeZone);
  for (let ms = (Math.floor(atMs / QUARTER_MS) + 1) * QUARTER_MS; ms < startMs; ms += QUARTER_MS) {
    if (findQuietEnd(quietHours, timeZone, ms) !== null) return new Date(ms);
  }
  const isSkipped = findQuietEnd(quietHours, timeZone, startMs) === null;
  return isSkipped ? findQuietStart(quietHours, timeZone, startMs) : new Date(startMs);
};
