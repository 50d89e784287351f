export { type BreakerState, CircuitOpenError, createCircuitBreaker } from './circuit-breaker.ts';
export { type Clock, SYSTEM_CLOCK } from './clock.ts';
export { withDeadline } from './deadline.ts';
