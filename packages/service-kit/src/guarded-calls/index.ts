export { type AddressPolicy, isPublicHttpsUrl, type ResolveAll } from './address-policy.ts';
export {
  createGuardedCall,
  type GuardedCall,
  GuardedCallError,
  type GuardedResponse,
} from './guarded-call.ts';
