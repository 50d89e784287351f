import type { QuietHours } from '@mailsweep/contracts';
import { nextInstant, toLocalTime } from './local-time.ts';

const toMinutes = (clockTime: string): number => {
  const [hours = 0, minutes = 0] = clockTime.split(':').map(Number);
  return hours * 60 + minutes;
};

/** When the quiet hours end that an instant is in; null when it is in none. */
export const findQuietEnd = (quietHours: QuietHours, timeZone: string, atMs: number): Date | null => {
  if (quietHours === null) return null;
  const [from, to] = [toMinutes(quietHours.from), toMinutes(quietHours.to)];
  const { minutes } = toLocalTime(atMs, timeZone);
  const isQuiet = from < to ? minutes >= from && minutes < to : minutes >= from || minutes < to;
  return isQuiet ? new Date(nextInstant(atMs, to, timeZone)) : null;
};

/** When the next quiet hours begin; null when there are none. */
export const findQuietStart = (quietHours: QuietHours, timeZone: string, atMs: number): Date | null =>
  quietHours === null ? null : new Date(nextInstant(atMs, toMinutes(quietHours.from), timeZone));
