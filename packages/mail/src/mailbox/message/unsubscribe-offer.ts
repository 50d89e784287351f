import { z } from 'zod';
import { isSigned, readAuthentication } from './authentication.ts';
import { findHeaders, type MessageHeader } from './header-text.ts';

const UNSUBSCRIBE = 'list-unsubscribe';
const UNSUBSCRIBE_POST = 'list-unsubscribe-post';

/** Whether a message is of a discussion list: one that takes posts (RFC 2369, 3.4). */
export const isOfDiscussion = (headers: readonly MessageHeader[]): boolean =>
  findHeaders(headers, 'list-post').some((value) => !/^\s*(?:\([^()]*\)\s*)*NO\b/i.test(value));

/** Longest header that is read, and longest address in it, in UTF-16 units. */
const MAX_HEADER_LENGTH = 8_192;
const MAX_ADDRESS_LENGTH = 2_048;

/** How the sender of a message lets its receiver unsubscribe. */
export const UnsubscribeOfferSchema = z.object({
  /** An https address that takes a POST (RFC 8058). */
  oneClick: z.string().optional(),
  mailto: z.string().optional(),
  /** The first http or https address, for the user to open. */
  link: z.string().optional(),
  /** Whether a good signature of the author's domain covers it: nobody else can have written it. */
  isSigned: z.boolean().optional(),
});
export type UnsubscribeOffer = z.infer<typeof UnsubscribeOfferSchema>;

/** The only header of this name. Lists have one each (RFC 2369, 2; RFC 8058, 3.1): of several, one was added. */
const findOnly = (headers: readonly MessageHeader[], name: string): string | undefined => {
  const [only, ...others] = findHeaders(headers, name);
  return others.length > 0 ? undefined : only;
};

/**
 * The addresses of a list header (RFC 2369, 2): in angle brackets, separated by commas, with comments in between. White
 * space within is left out. Reading ends at anything else.
 */
const readAddresses = (value: string): string[] => {
  const addresses: string[] = [];
  let rest = value;
  while (true) {
    const [whole, address] = /^(?:\s|\((?:[^()\\]|\\.)*\))*<([^<>]*)>/.exec(rest) ?? [];
    if (whole === undefined || address === undefined) return addresses;
    addresses.push(address.replace(/\s/g, ''));
    const [separator] = /^(?:\((?:[^()\\]|\\.)*\)|[^<,(])*,/.exec(rest.slice(whole.length)) ?? [];
    if (separator === undefined) return addresses;
    rest = rest.slice(whole.length + separator.length);
  }
};

/** An address has ASCII characters only (RFC 3986); a host in another script comes as Punycode. */
const isAddress = (address: string): boolean =>
  address.length <= MAX_ADDRESS_LENGTH && /^[\x21-\x7e]+$/.test(address) && URL.canParse(address);

const isMailto = (address: string): boolean => /^mailto:[^@?]+@[^@?]+(\?.*)?$/i.test(address);

const isLink = (address: string): boolean => {
  if (!/^https?:\/\//i.test(address)) return false;
  const { username, password } = new URL(address);
  return username === '' && password === '';
};

/**
 * Reads how to unsubscribe from the sender of a message. One-click takes a `List-Unsubscribe-Post` as RFC 8058 has it,
 * and a signature of the author's domain over both headers that the mail server found to be good. A message that fails
 * DMARC offers nothing, and neither does one whose sender is unclear. Who has joined a discussion leaves it by hand.
 *
 * @param sender - as `readFrom` has it
 * @param server - the name by which the server signs its own `Authentication-Results`; without one nothing is by one click
 * @returns undefined where the message offers nothing
 */
export const readUnsubscribeOffer = (
  headers: readonly MessageHeader[],
  { from, isSenderUnclear }: { from: string; isSenderUnclear: boolean },
  server: string | undefined,
): UnsubscribeOffer | undefined => {
  if (isSenderUnclear || readAuthentication(headers, server)?.dmarc === 'fail') return undefined;
  const value = findOnly(headers, UNSUBSCRIBE);
  if (value === undefined || value.length > MAX_HEADER_LENGTH) return undefined;
  const addresses = readAddresses(value).filter(isAddress);
  const links = addresses.filter(isLink);
  const mailto = addresses.find(isMailto);
  const [link] = links;
  if (mailto === undefined && link === undefined) return undefined;
  const takesPost =
    !isOfDiscussion(headers) &&
    findOnly(headers, UNSUBSCRIBE_POST)?.trim().toLowerCase() === 'list-unsubscribe=one-click' &&
    isSigned(headers, from, [UNSUBSCRIBE, UNSUBSCRIBE_POST], server);
  const oneClick = takesPost ? links.find((address) => /^https:/i.test(address)) : undefined;
  return {
    ...(oneClick !== undefined && { oneClick }),
    ...(mailto !== undefined && { mailto }),
    ...(link !== undefined && { link }),
    isSigned: takesPost || isSigned(headers, from, [UNSUBSCRIBE], server),
  };
};
