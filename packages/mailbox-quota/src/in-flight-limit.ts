import pLimit from 'p-limit';
import type { CallPriority } from './quota.ts';

/** The share of the calls in flight that is reserved for background calls. */
const BACKGROUND_SHARE = 0.2;

/** A limit on one user's calls in flight, which adapts to how many the provider accepts. */
export interface InFlightLimit {
  /** Does the work as soon as its priority has room for it. */
  run<T>(priority: CallPriority, work: () => Promise<T>): Promise<T>;
  /** Raises the limit: by one call after about as many good responses as may be in flight. */
  recover(): void;
  /**
   * Halves the limit, once for all the calls that were in flight together.
   *
   * @param startedMs - when the call was sent that the provider refused
   */
  backOff(startedMs: number): void;
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
  const split = (limit: number): Record<CallPriority, number> => {
    const background = Math.max(1, Math.floor(limit * BACKGROUND_SHARE));
    return { interactive: Math.max(1, Math.floor(limit) - background), background };
  };
  const limits = {
    interactive: pLimit(split(most).interactive),
    background: pLimit(split(most).background),
  };
  let allowed = most;
  let cutAtMs = Number.NEGATIVE_INFINITY;

  const allow = (limit: number): void => {
    const hasChanged = Math.floor(limit) !== Math.floor(allowed);
    allowed = limit;
    if (!hasChanged) return;
    const { interactive, background } = split(allowed);
    limits.interactive.concurrency = interactive;
    limits.background.concurrency = background;
    onChange(Math.floor(allowed));
  };

  return {
    run: (priority, work) => limits[priority](work),
    recover() {
      if (allowed < most) allow(Math.min(most, allowed + 1 / allowed));
    },
    backOff(startedMs) {
      if (startedMs <= cutAtMs) return;
      cutAtMs = nowMs();
      allow(Math.max(least, allowed / 2));
    },
  };
};
