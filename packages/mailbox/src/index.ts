export type { Clock } from './gmail-call.ts';
export * from './gmail-mailbox.ts';
export * from './mailbox.ts';
export { createMemoryQuotaStore } from './memory-quota-store.ts';
export * from './quota.ts';
export { createQuotaGovernor, DEFAULT_CONCURRENT_CALLS, type QuotaGovernor } from './quota-governor.ts';
export { DEFAULT_QUOTA_PRICES, type QuotaPrices } from './quota-prices.ts';
export * from './quota-window.ts';
