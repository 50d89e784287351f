export { type Clock, SYSTEM_CLOCK } from '@mailsweep/service-kit/resilience';
export { meterQuota } from './meter-quota.ts';
export * from './open-quota-governor.ts';
export {
  type CallPriority,
  DEFAULT_QUOTA_LIMITS,
  type QuotaEvent,
  type QuotaLimits,
  type QuotaStore,
} from './quota.ts';
export { createQuotaGovernor, type QuotaGovernor, type UserQuota } from './quota-governor.ts';
export { createQuotaObserver } from './quota-metrics.ts';
export { DEFAULT_QUOTA_PRICES, methodOf } from './quota-prices.ts';
export { quotaVariables } from './quota-variables.ts';
export { createMemoryQuotaStore } from './stores/memory-quota-store.ts';
export type { UnitsTaken } from './unit-queue.ts';
