export type { BreakerState } from './circuit-breaker.ts';
export * from './create-ml-client.ts';
export * from './ml-client.ts';
export * from './read-ml-answer.ts';
