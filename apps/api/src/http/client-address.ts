import { toClientKey } from '@mailsweep/service-kit';
import type { Request } from 'express';

/**
 * Builds the function that names the client of a request, for limits per address. Forwarding headers count as far as
 * `trust proxy` is set (TRUST_PROXY_HOPS).
 *
 * @param options.ipv6PrefixLength - leading bits of an IPv6 address that make one client
 */
export const createClientAddressOf =
  (options: { ipv6PrefixLength: number }) =>
  (request: Request): string =>
    toClientKey(request.ip, options.ipv6PrefixLength);
