import ipaddr from 'ipaddr.js';

export interface AddressPolicy {
  /** Whether private networks and the machine itself may be called. */
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

type Address = ReturnType<typeof ipaddr.process>;

/** The IPv4 address that an IPv6 address leads to, where there is one: mapped (RFC 4291) or by NAT64 (RFC 6052). */
const unwrap = (text: string): Address => {
  const address = ipaddr.process(text);
  return address.range() === 'rfc6052' ? ipaddr.fromByteArray(address.toByteArray().slice(-4)) : address;
};

/**
 * Whether a webhook may go to an IP address. Link-local and metadata addresses never; private ones if the
 * policy says so (docs/decisions/013).
 */
export const isAddressAllowed = (text: string, policy: AddressPolicy): boolean => {
  if (!ipaddr.isValid(text)) return false;
  const address = unwrap(text);
  const range = address.range();
  if (REFUSED_RANGES.has(range) || METADATA_ADDRESSES.has(address.toNormalizedString())) return false;
  return policy.allowPrivate || range === 'unicast';
};

/** The address of a URL that names one instead of a host; undefined for a host name. */
export const findLiteralAddress = (url: string): string | undefined => {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(host) ? host : undefined;
};
