import { UNKNOWN_CLIENT } from '@mailsweep/service-kit';
import type { Request } from 'express';
import { toBrowserName } from './browser-name.ts';

/** What the audit trail says about the client of a request. */
export interface Client {
  /** The address as limits count it: IPv4, or the network of an IPv6 address. */
  address: string | null;
  /** Such as "Firefox on Windows". */
  browser: string | null;
}

export type ReadClient = (request: Request) => Client;

/** @param clientAddressOf - the address as limits count it */
export const createReadClient =
  (clientAddressOf: (request: Request) => string): ReadClient =>
  (request) => {
    const address = clientAddressOf(request);
    return {
      address: address === UNKNOWN_CLIENT ? null : address,
      browser: toBrowserName(request.get('user-agent')),
    };
  };
