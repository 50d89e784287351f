/**
 * `closed`: calls pass. `open`: calls are refused without being made. `half_open`: one call is on trial, the
 * others are refused.
 */
export type BreakerState = 'closed' | 'open' | 'half_open';

export interface CircuitBreaker {
  /**
   * Makes the call, unless the circuit is open.
   *
   * @throws what the call throws, or what `refusal` makes
   */
  run<T>(call: () => Promise<T>): Promise<T>;
}

/**
 * A circuit breaker: after so many failures in a row it refuses calls at once, and after a pause tries a single
 * one, which closes it or opens it anew. Calls that were under way when the state changed have no say in the
 * new one (docs/decisions/004).
 *
 * @param options.nowMs - a clock that never jumps, in milliseconds
 * @param options.refusal - the error of a call that is not made
 * @param options.onChange - told of each new state
 */
export const createCircuitBreaker = (options: {
  failureThreshold: number;
  pauseMs: number;
  nowMs: () => number;
  refusal: () => Error;
  onChange: (state: BreakerState) => void;
}): CircuitBreaker => {
  const { failureThreshold, pauseMs, nowMs, refusal, onChange } = options;
  let state: BreakerState = 'closed';
  let failuresInARow = 0;
  let openedAtMs = 0;
  /** Counts the states there were, to tell outcomes of calls begun in an earlier one. */
  let era = 0;

  const enter = (next: BreakerState) => {
    state = next;
    era += 1;
    failuresInARow = 0;
    if (next === 'open') openedAtMs = nowMs();
    onChange(next);
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
    async run(call) {
      if (state === 'half_open') throw refusal();
      if (state === 'open') {
        if (nowMs() - openedAtMs < pauseMs) throw refusal();
        enter('half_open');
      }
      const begunIn = era;
      try {
        const answer = await call();
        if (era === begunIn) succeeded();
        return answer;
      } catch (error) {
        if (era === begunIn) failed();
        throw error;
      }
    },
  };
};
