export { type AddressPolicy, isPublicHttpsUrl, type ResolveAll } from './address-policy.ts';
export { askDns, createDnsLookup } from './dns-lookup.ts';
export {
  createGuardedCall,
  type GuardedCall,
  GuardedCallError,
  type GuardedResponse,
} from './guarded-call.ts';
export { createSendWebhook, type SendWebhook, type WebhookResult } from './send-webhook.ts';
