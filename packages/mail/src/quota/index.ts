export { type Clock, SYSTEM_CLOCK } from '@mailsweep/service-kit/resilience';
export * from './open-quota-governor.ts';
export { createQuotaObserver, quotaVariables } from './open-quota-governor.ts';
export {
  type CallPriority,
  DEFAULT_QUOTA_LIMITS,
  type QuotaEvent,
  type QuotaLimits,
  type QuotaStore,
} from './quota.ts';
export { createQuotaGovernor, meterQuota, type QuotaGovernor, type UserQuota } from './quota-governor.ts';
export { DEFAULT_QUOTA_PRICES, methodOf } from './quota-prices.ts';
export { createRequestSlots } from './request-slots.ts';
export { createMemoryQuotaStore } from './stores/memory-quota-store.ts';
export type { UnitsTaken } from './unit-queue.ts';
