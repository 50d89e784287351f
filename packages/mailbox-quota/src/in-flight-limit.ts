import pLimit from 'p-limit';
import type { CallPriority } from './quota.ts';
import { PART_FRESH_MS } from './stores/quota-window.ts';

/** The part of all calls in flight that is for background calls. */
const BACKGROUND_SHARE = 0.2;

/** A limit on one person's calls in flight, which learns how many the provider takes. */
export interface InFlightLimit {
  /** Does the work as soon as there is room for it. Either priority has room of its own, which may be lent. */
  run<T>(priority: CallPriority, work: () => Promise<T>): Promise<T>;
  /** Makes room step by step: for one call more after about as many good answers as may be in flight. */
  recover(): void;
  /**
   * Halves the limit, once for all the calls that were in flight together.
   *
   * @param startedMs - when the call was sent that the provider refused
   */
  backOff(startedMs: number): void;
  /** Lets interactive calls that begin within {@link PART_FRESH_MS} use the background's part as well, or no longer. */
  lend(isLent: boolean): void;
  /** Whether the interactive calls under way need nothing but their own part. */
  fitsOwnPart(): boolean;
}

/**
 * Additive increase, multiplicative decrease, between 2 calls and the limit.
 *
 * @param options.concurrentCalls - the most calls in flight
 */
export const createInFlightLimit = (options: {
  concurrentCalls: number;
  nowMs: () => number;
  onChange: (limit: number) => void;
}): InFlightLimit => {
  const { concurrentCalls: most, nowMs, onChange } = options;
  const least = Math.min(2, most);
  const roomFor = (limit: number): Record<CallPriority, number> => {
    const background = Math.max(1, Math.floor(limit * BACKGROUND_SHARE));
    return { interactive: Math.max(1, Math.floor(limit) - background), background };
  };
  const limits = {
    interactive: pLimit(roomFor(most).interactive),
    background: pLimit(roomFor(most).background),
  };
  let allowed = most;
  let cutAtMs = Number.NEGATIVE_INFINITY;
  let lentAtMs = Number.NEGATIVE_INFINITY;

  const arrange = (): void => {
    const room = roomFor(allowed);
    const isLent = nowMs() - lentAtMs <= PART_FRESH_MS;
    limits.interactive.concurrency = room.interactive + (isLent ? room.background : 0);
    limits.background.concurrency = room.background;
  };

  const allow = (limit: number): void => {
    const hasChanged = Math.floor(limit) !== Math.floor(allowed);
    allowed = limit;
    if (!hasChanged) return;
    arrange();
    onChange(Math.floor(allowed));
  };

  return {
    run(priority, work) {
      arrange();
      return limits[priority](work);
    },
    recover() {
      if (allowed < most) allow(Math.min(most, allowed + 1 / allowed));
    },
    backOff(startedMs) {
      if (startedMs <= cutAtMs) return;
      cutAtMs = nowMs();
      allow(Math.max(least, allowed / 2));
    },
    lend(isLent) {
      lentAtMs = isLent ? nowMs() : Number.NEGATIVE_INFINITY;
      arrange();
    },
    fitsOwnPart: () => limits.interactive.activeCount <= roomFor(allowed).interactive,
  };
};
