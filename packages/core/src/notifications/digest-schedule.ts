import type { NotificationPreferences } from '@mailsweep/contracts';
import { addDays, toInstants, toLocalTime } from './local-time.ts';

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
