export * from './open-quota-governor.ts';
export { quotaVariables } from './quota-variables.ts';
