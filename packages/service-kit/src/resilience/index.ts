export { readCapped, withDeadline } from './bounded.ts';
export { type BreakerState, CircuitOpenError, createCircuitBreaker } from './circuit-breaker.ts';
export { type Clock, SYSTEM_CLOCK } from './clock.ts';
export { exponentialDelay, parseRetryAfterMs, type RetryDelay, retry, scheduledDelay } from './retry.ts';
export { createRetryBudget, type RetryBudget, retryDelayMs } from './retry-budget.ts';
