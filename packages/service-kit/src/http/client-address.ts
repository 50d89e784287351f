import ipaddr from 'ipaddr.js';

/** What all clients without a readable address share. */
export const UNKNOWN_CLIENT = 'unknown';

/** Leading bits of an IPv6 address that count as one client. */
const IPV6_PREFIX_LENGTH = 64;

/** Some proxies forward the port, too: `192.0.2.1:567` or `[2001:db8::1]:567`. */
const BRACKETED = /^\[([^\]]*)\](?::\d+)?$/;
const IPV4_WITH_PORT = /^([\d.]+):\d+$/;

const stripPort = (text: string): string =>
  BRACKETED.exec(text)?.[1] ?? IPV4_WITH_PORT.exec(text)?.[1] ?? text;

/**
 * The key by which limits count a client: the same for every spelling of an address, with or without a port, and for
 * all addresses of one IPv6 network, since a single host has a whole one to choose from (RFC 6177).
 *
 * @param text - an IP address as the socket or a proxy gives it
 * @returns an IPv4 address, an IPv6 network, or `UNKNOWN_CLIENT` if the text is no address
 */
export const toClientKey = (text: string | undefined): string => {
  const host = stripPort(text?.trim() ?? '');
  if (!ipaddr.isValid(host)) return UNKNOWN_CLIENT;
  // `process` turns ::ffff:192.0.2.1 into 192.0.2.1.
  const address = ipaddr.process(host);
  if (address.kind() === 'ipv4') return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${IPV6_PREFIX_LENGTH}`)}/${IPV6_PREFIX_LENGTH}`;
};
