export { readCapped, withDeadline } from './bounded.ts';
export {
  type BreakerState,
  CircuitOpenError,
  type Clock,
  createCircuitBreaker,
  SYSTEM_CLOCK,
} from './circuit-breaker.ts';
export {
  createRetryBudget,
  exponentialDelay,
  parseRetryAfterMs,
  type RetryBudget,
  type RetryDelay,
  retry,
  retryDelayMs,
  scheduledDelay,
} from './retry.ts';
