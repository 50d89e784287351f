import type { QuietHours } from '@mailsweep/contracts';
import { nextInstant, toLocalTime } from './local-time.ts';

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
