export * from './open-quota-governor.ts';
export { createQuotaObserver } from './quota-metrics.ts';
export { quotaVariables } from './quota-variables.ts';
