export { type AddressPolicy, isPublicHttpsUrl } from './address-policy.ts';
export {
  createGuardedCall,
  type GuardedCall,
  GuardedCallError,
  type GuardedResponse,
} from './guarded-call.ts';
export type { ResolveAll } from './guarded-lookup.ts';
