export type { BreakerState } from '@mailsweep/service-kit/resilience';
export * from './create-ml-client.ts';
export * from './ml-client.ts';
export { observeAdvice } from './observe-advice.ts';
export * from './read-ml-response.ts';
export { addShadow } from './shadow/add-shadow.ts';
