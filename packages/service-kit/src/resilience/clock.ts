import { setTimeout as sleep } from 'node:timers/promises';

/** Time and its passing, in milliseconds since 1970. */
export interface Clock {
  nowMs(): number;
  sleep(delayMs: number): Promise<void>;
}

export const SYSTEM_CLOCK: Clock = { nowMs: Date.now, sleep: (delayMs) => sleep(delayMs) };
