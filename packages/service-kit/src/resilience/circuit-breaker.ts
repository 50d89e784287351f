import { setTimeout as sleep } from 'node:timers/promises';

/** Time and its passing, in milliseconds since 1970. */
export interface Clock {
  nowMs(): number;
  sleep(delayMs: number): Promise<void>;
}

export const SYSTEM_CLOCK: Clock = { nowMs: Date.now, sleep: (delayMs) => sleep(delayMs) };

/**
 * `closed`: calls pass. `open`: calls are refused without being made. `half_open`: one trial call is in flight,
 * the others are refused.
 */
export type BreakerState = 'closed' | 'open' | 'half_open';

/** The call was not made, because the circuit breaker is open. */
export class CircuitOpenError extends Error {
  override readonly name = 'CircuitOpenError';

  constructor() {
    super('the circuit breaker is open');
  }
}

/**
 * A circuit breaker: after so many errors in a row it refuses calls at once. When the cool-down is over it lets one
 * trial call pass, which closes it or opens it again. Calls that were in flight when the state changed do not count
 * in the new state (docs/decisions/004).
 *
 * @param options.nowMs - a clock that never jumps, in milliseconds; the process's own when left out
 * @param options.onChange - called with each new state
 */
export const createCircuitBreaker = (options: {
  failureThreshold: number;
  coolDownMs: number;
  nowMs?: (() => number) | undefined;
  onChange?: ((state: BreakerState) => void) | undefined;
}) => {
  const { failureThreshold, coolDownMs, nowMs = () => performance.now(), onChange } = options;
  let state: BreakerState = 'closed';
  let failuresInARow = 0;
  let openedAtMs = 0;
  /** Counts state changes, to recognize outcomes of calls that began in an earlier state. */
  let era = 0;

  const enter = (next: BreakerState) => {
    state = next;
    era += 1;
    failuresInARow = 0;
    if (next === 'open') openedAtMs = nowMs();
    onChange?.(next);
  };

  const succeeded = () => {
    failuresInARow = 0;
    if (state === 'half_open') enter('closed');
  };

  const failed = () => {
    failuresInARow += 1;
    if (state === 'half_open' || failuresInARow >= failureThreshold) enter('open');
  };

  return {
    /** @throws {CircuitOpenError} when the call was not made, otherwise what the call throws */
    async run<T>(call: () => Promise<T>): Promise<T> {
      if (state === 'half_open') throw new CircuitOpenError();
      if (state === 'open') {
        if (nowMs() - openedAtMs < coolDownMs) throw new CircuitOpenError();
        enter('half_open');
      }
      const begunIn = era;
      try {
        const result = await call();
        if (era === begunIn) succeeded();
        return result;
      } catch (error) {
        if (era === begunIn) failed();
        throw error;
      }
    },
  };
};
