import { createHash } from 'node:crypto';

/**
 * When a user's mailbox is checked next. The users' slots are spread evenly over the interval, whenever the watches were
 * enabled, and stay so after an outage.
 *
 * @param afterMs - the slot is later than this instant
 */
export const nextWatchSlot = (userId: string, everyMinutes: number, afterMs: number): Date => {
  const intervalMs = everyMinutes * 60_000;
  const offsetMs = createHash('sha256').update(userId).digest().readUInt32BE() % intervalMs;
  const passed = Math.floor((afterMs - offsetMs) / intervalMs);
  return new Date((passed + 1) * intervalMs + offsetMs);
};
