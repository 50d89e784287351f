import type { Clock } from '../resilience/circuit-breaker.ts';

export interface ManualClock extends Clock {
  /** Every wait there was, in milliseconds. */
  readonly waitsMs: number[];
  advance(ms: number): void;
}

/** A clock on which a wait takes no time but moves the hand. */
export const createManualClock = (startMs = Date.UTC(2026, 0, 1)): ManualClock => {
  let nowMs = startMs;
  const waitsMs: number[] = [];
  return {
    waitsMs,
    nowMs: () => nowMs,
    async sleep(delayMs) {
      waitsMs.push(delayMs);
      nowMs += delayMs;
    },
    advance(ms) {
      nowMs += ms;
    },
  };
};
