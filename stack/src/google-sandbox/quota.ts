const WINDOW_MS = 60_000;
/** Price of a call that the list below does not name, in quota units. */
const DEFAULT_UNITS = 5;
/**
 * What calls cost in quota units, as Google counts for projects made since May 2026 (Gmail API reference, "Usage
 * limits"); the first match holds.
 */
const PRICES: readonly [method: string, path: RegExp, units: number][] = [
  ['GET', /\/profile$/, 1],
  ['GET', /\/labels/, 1],
  ['GET', /\/history$/, 2],
  ['GET', /\/messages$/, 5],
  ['GET', /\/messages\/[^/]+$/, 20],
  ['GET', /\/attachments\/[^/]+$/, 20],
  ['POST', /\/messages\/batch(Modify|Delete)$/, 50],
  ['POST', /\/messages\/[^/]+\/(un)?trash$/, 20],
  ['POST', /\/messages\/[^/]+\/modify$/, 5],
  ['DELETE', /\/messages\/[^/]+$/, 20],
  ['POST', /\/messages\/send$/, 100],
];

/** The price of a Gmail call in quota units. */
export const unitsOf = (method: string, path: string): number =>
  PRICES.find(([pricedMethod, pattern]) => pricedMethod === method && pattern.test(path))?.[2] ??
  DEFAULT_UNITS;

export interface Quota {
  /** Takes the units off a person's minute: how long to wait when they don't suffice, else 0. Milliseconds. */
  spend(email: string, units: number): number;
  /** Counts a call in; false when too many of that person are under way. Pair it with {@link leave}. */
  enter(email: string): boolean;
  leave(email: string): void;
}

/**
 * The provider's limits per person: units in any 60 seconds, and calls at a time.
 *
 * @param options.unitsPerMinute - 0 sets no limit
 * @param options.concurrentCalls - 0 sets no limit
 */
export const createQuota = (options: {
  unitsPerMinute: number;
  concurrentCalls: number;
  nowMs: () => number;
}): Quota => {
  const { unitsPerMinute, concurrentCalls, nowMs } = options;
  const spent = new Map<string, { atMs: number; units: number }[]>();
  const running = new Map<string, number>();
  return {
    spend(email, units) {
      if (unitsPerMinute === 0) return 0;
      const now = nowMs();
      const recent = (spent.get(email) ?? []).filter(({ atMs }) => atMs > now - WINDOW_MS);
      spent.set(email, recent);
      const total = recent.reduce((sum, entry) => sum + entry.units, 0);
      if (total + units > unitsPerMinute) return (recent[0]?.atMs ?? now) + WINDOW_MS - now;
      recent.push({ atMs: now, units });
      return 0;
    },
    enter(email) {
      const count = running.get(email) ?? 0;
      if (concurrentCalls > 0 && count >= concurrentCalls) return false;
      running.set(email, count + 1);
      return true;
    },
    leave(email) {
      running.set(email, (running.get(email) ?? 1) - 1);
    },
  };
};
