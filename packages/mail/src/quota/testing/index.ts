export { createManualClock, type ManualClock } from '@mailsweep/service-kit/testing';
export { createProviderMinute } from './provider-minute.ts';
export { createSimulatedClock } from './simulated-clock.ts';
