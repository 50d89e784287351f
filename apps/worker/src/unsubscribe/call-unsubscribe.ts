import type { UnsubscribeCallOutcome } from '@mailsweep/core';
import {
  type AddressPolicy,
  createGuardedCall,
  GuardedCallError,
  isPublicHttpsUrl,
  type ResolveAll,
} from '@mailsweep/service-kit/guarded-calls';

/** What every request says (RFC 8058, 3.2). Nothing tells who sent it but the address itself. */
const REQUEST = {
  headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'mailsweep' },
  body: 'List-Unsubscribe=One-Click',
};

/** Codes of addresses that lead to no server: another attempt ends the same. */
const NOWHERE = new Set(['ENOTFOUND', 'ERR_TLS_CERT_ALTNAME_INVALID']);

/**
 * Prepares one-click requests (RFC 8058). An email chose the address, so it is called over https only, without
 * redirects and cookies, at public addresses, on port 443.
 *
 * @param options.policy - private addresses are for servers in the operator's own network
 */
export const createCallUnsubscribe = (options: {
  policy: AddressPolicy;
  timeoutMs?: number;
  resolveAll?: ResolveAll;
  certificateAuthority?: string;
}): ((url: string) => Promise<UnsubscribeCallOutcome>) => {
  const post = createGuardedCall({ ...options, peer: 'unsubscribe', keepsConnections: false });
  return async (url) => {
    if (!isPublicHttpsUrl(url, options.policy)) return { kind: 'address_refused' };
    try {
      const { status } = await post(url, REQUEST);
      return { kind: 'response', status };
    } catch (error) {
      if (!(error instanceof GuardedCallError)) throw error;
      if (error.code === 'address_refused') return { kind: 'address_refused' };
      return { kind: NOWHERE.has(error.code) ? 'unreachable' : 'no_response' };
    }
  };
};
