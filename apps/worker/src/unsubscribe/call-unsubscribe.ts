import type { UnsubscribeCallOutcome } from '@mailsweep/core';
import {
  type AddressPolicy,
  createGuardedCall,
  findLiteralAddress,
  GuardedCallError,
  type ResolveAll,
} from '@mailsweep/service-kit/guarded-calls';

/** Longest address that is called, in characters. */
const MAX_URL_LENGTH = 2_048;

/** What every request says (RFC 8058, 3.2). Nothing tells who sent it but the address itself. */
const REQUEST = {
  headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'mailsweep' },
  body: 'List-Unsubscribe=One-Click',
};

/** Codes of addresses that lead to no server: another attempt ends the same. */
const NOWHERE = new Set(['ENOTFOUND', 'ERR_TLS_CERT_ALTNAME_INVALID']);

/**
 * Whether an address from an email has a form that is called at all; where it leads is checked as it is called.
 *
 * @param policy - with private addresses allowed, IP addresses, other ports and names without a dot are, too
 */
const isCallable = (url: string, { allowPrivate }: AddressPolicy): boolean => {
  if (url.length > MAX_URL_LENGTH || !/^https:\/\/[\x21-\x7e]+$/i.test(url) || !URL.canParse(url))
    return false;
  const { username, password, port, hostname } = new URL(url);
  if (username !== '' || password !== '') return false;
  return allowPrivate || (port === '' && hostname.includes('.') && findLiteralAddress(url) === undefined);
};

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
  const post = createGuardedCall({ ...options, keepsConnections: false });
  return async (url) => {
    if (!isCallable(url, options.policy)) return { kind: 'address_refused' };
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
