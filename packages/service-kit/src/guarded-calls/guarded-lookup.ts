import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { type AddressPolicy, isAddressAllowed } from './address-policy.ts';

/** A name resolves to an address that may not be called. */
class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
  readonly code = 'address_refused';
}

/** Resolves all addresses of a name. */
export type ResolveAll = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Looks names up for a connection and refuses those with any address that may not be called. Pins the vetted
 * IPs: the connection uses the addresses that were checked, so DNS rebinding has no effect.
 *
 * @throws {AddressRefusedError} through the callback
 */
export const createGuardedLookup =
  (policy: AddressPolicy, resolveAll: ResolveAll = lookup): LookupFunction =>
  (hostname, options, done) => {
    resolveAll(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, '');
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isAddressAllowed(address, policy))) {
        return done(new AddressRefusedError('the name leads to an address that may not be called'), '');
      }
      if (options.all) return done(null, addresses);
      done(null, first.address, first.family);
    });
  };
