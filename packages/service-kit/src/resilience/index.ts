export { exponentialBackoff, withJitter } from './backoff.ts';
export { type BreakerState, CircuitOpenError, createCircuitBreaker } from './circuit-breaker.ts';
export { type Clock, SYSTEM_CLOCK } from './clock.ts';
export { withDeadline } from './deadline.ts';
export { readCapped } from './read-capped.ts';
export { retry } from './retry.ts';
export { parseRetryAfterMs } from './retry-after.ts';
