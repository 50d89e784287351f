import { setTimeout as delay } from 'node:timers/promises';

const MINUTE_MS = 60_000;

/** Spreads quota units over time. */
export interface Pacer {
  /** Waits until so many units may be used. */
  take(units: number, signal?: AbortSignal): Promise<void>;
  /** The units taken so far. */
  readonly used: number;
}

/**
 * Lets so many units through in any minute, and less than all that Google allows: the product may use the mailbox at
 * the same time.
 */
export const createPacer = (options: { unitsPerMinute: number; nowMs?: () => number }): Pacer => {
  const { unitsPerMinute, nowMs = Date.now } = options;
  let recent: { atMs: number; units: number }[] = [];
  let used = 0;
  let line: Promise<unknown> = Promise.resolve();

  const waitMs = (units: number): number => {
    recent = recent.filter(({ atMs }) => atMs > nowMs() - MINUTE_MS);
    let excess = recent.reduce((sum, entry) => sum + entry.units, 0) + units - unitsPerMinute;
    for (const entry of recent) {
      if (excess <= 0) break;
      excess -= entry.units;
      if (excess <= 0) return entry.atMs + MINUTE_MS - nowMs();
    }
    return 0;
  };

  const takeInTurn = async (units: number, signal: AbortSignal | undefined): Promise<void> => {
    signal?.throwIfAborted();
    for (let ms = waitMs(units); ms > 0; ms = waitMs(units)) await delay(ms, undefined, signal && { signal });
    recent.push({ atMs: nowMs(), units });
    used += units;
  };

  return {
    take(units, signal) {
      const turn = line.then(() => takeInTurn(units, signal));
      line = turn.catch(() => undefined);
      return turn;
    },
    get used() {
      return used;
    },
  };
};
