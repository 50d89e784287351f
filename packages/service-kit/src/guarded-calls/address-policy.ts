import type { LookupAddress, LookupAllOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface AddressPolicy {
  allowPrivate: boolean;
}

/** Where clouds keep their instance metadata, credentials among it, outside the link-local range. */
const METADATA_ADDRESSES = new Set(
  [
    'fd00:ec2::254', // AWS
    'fd20:ce::254', // Google Cloud
    '100.100.100.200', // Alibaba Cloud
    '168.63.129.16', // Azure
    '192.0.0.192', // Oracle Cloud
  ].map((address) => ipaddr.parse(address).toNormalizedString()),
);

/** Ranges in which no receiver of a webhook can be. */
const REFUSED_RANGES = new Set(['linkLocal', 'multicast', 'broadcast']);

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * The IPv4 addresses that an IPv6 address leads to by a transition mechanism, by the range that ipaddr.js names: NAT64
 * (RFC 6052, 6145), 6to4 (RFC 3056) and Teredo (RFC 4380: its server, and its client with the bits inverted).
 */
const EMBEDDED_IPV4: Record<string, (bytes: number[]) => number[][]> = {
  rfc6052: (bytes) => [bytes.slice(12)],
  rfc6145: (bytes) => [bytes.slice(12)],
  '6to4': (bytes) => [bytes.slice(2, 6)],
  teredo: (bytes) => [bytes.slice(4, 8), bytes.slice(12).map((byte) => byte ^ 0xff)],
};

/** Deprecated, but still routed by some systems (RFC 4291, section 2.5.5.1). */
const IPV4_COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96');
/** A network's own NAT64 (RFC 8215), where the place of the IPv4 address is not known. */
const LOCAL_NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48');

const findEmbedded = (address: Address): Address[] => {
  if (address instanceof ipaddr.IPv4) return [];
  const bytes = address.toByteArray();
  const embedded = EMBEDDED_IPV4[address.range()]?.(bytes) ?? [];
  if (address.match(IPV4_COMPATIBLE)) embedded.push(bytes.slice(12));
  return embedded.map((ipv4) => ipaddr.fromByteArray(ipv4));
};

const isAllowed = (address: Address, policy: AddressPolicy): boolean => {
  const range = address.range();
  if (REFUSED_RANGES.has(range) || METADATA_ADDRESSES.has(address.toNormalizedString())) return false;
  // Behind the well-known prefix of NAT64 are the same public hosts as without it.
  return policy.allowPrivate || range === 'unicast' || range === 'rfc6052';
};

/**
 * Whether a webhook may go to an IP address. Link-local and metadata addresses never; private ones if the
 * policy says so (docs/decisions/013). An IPv6 address that embeds an IPv4 address is allowed only if that is, too.
 */
export const isAddressAllowed = (text: string, policy: AddressPolicy): boolean => {
  if (!ipaddr.isValid(text)) return false;
  // `process` unwraps IPv4-mapped addresses; the bytes leave out the zone (`%eth0`).
  const address = ipaddr.fromByteArray(ipaddr.process(text).toByteArray());
  if (address instanceof ipaddr.IPv6 && address.match(LOCAL_NAT64)) return false;
  return [address, ...findEmbedded(address)].every((candidate) => isAllowed(candidate, policy));
};

/** The address of a URL that names one instead of a host; undefined for a host name. */
export const findLiteralAddress = (url: string): string | undefined => {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(host) ? host : undefined;
};

const MAX_URL_LENGTH = 2_048;

/**
 * Whether an address from a stranger has a form that is called at all; where it leads is checked as it is called.
 *
 * @param policy - with private addresses allowed, IP addresses, other ports and names without a dot are, too
 */
export const isPublicHttpsUrl = (url: string, { allowPrivate }: AddressPolicy): boolean => {
  if (url.length > MAX_URL_LENGTH || !/^https:\/\/[\x21-\x7e]+$/i.test(url) || !URL.canParse(url))
    return false;
  const { username, password, port, hostname } = new URL(url);
  if (username !== '' || password !== '') return false;
  return allowPrivate || (port === '' && hostname.includes('.') && findLiteralAddress(url) === undefined);
};

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
 * @throws through the callback an error with the code `address_refused`
 */
export const createGuardedLookup =
  (policy: AddressPolicy, resolveAll: ResolveAll): LookupFunction =>
  (hostname, options, done) => {
    resolveAll(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, '');
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isAddressAllowed(address, policy))) {
        const refused = new Error('the name leads to an address that may not be called');
        return done(Object.assign(refused, { code: 'address_refused' }), '');
      }
      if (options.all) return done(null, addresses);
      done(null, first.address, first.family);
    });
  };
