export { createManualClock, type ManualClock } from './manual-clock.ts';
export { createProviderMinute } from './provider-minute.ts';
export { createSimulatedClock } from './simulated-clock.ts';
