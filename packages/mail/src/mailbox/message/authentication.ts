import { readAuthors } from '@mailsweep/contracts';
import { getDomain } from 'tldts';
import { z } from 'zod';
import { findHeaders, type MessageHeader } from './header-text.ts';
import { splitHeader } from './structured-header.ts';

/** Longest header that is read, in UTF-16 units. */
const MAX_LENGTH = 16_384;
/** Fewest characters by which a result may name its signature (RFC 6008, 3). */
const MIN_SIGNATURE_PREFIX = 8;
const MAX_SIGNATURES = 10;

/** A result as servers spell it, or the domain of a signature. */
const WordSchema = z.string().max(253);

/** What the user's mail server found out about who sent a message (RFC 8601). */
export const AuthenticationSchema = z.object({
  dmarc: WordSchema.optional(),
  spf: WordSchema.optional(),
  dkim: z.array(z.object({ result: WordSchema, domain: WordSchema })).max(MAX_SIGNATURES),
});
export type Authentication = z.infer<typeof AuthenticationSchema>;

interface MethodResult {
  method: string;
  result: string;
  /** By name in lower case, such as `header.b`. */
  properties: Map<string, string>;
}

/**
 * The results of the topmost `Authentication-Results`; none where another server has written it. Whatever else claims to be
 * a result came with the message: the server puts its own on top (RFC 8601, 5).
 *
 * @param server - the name by which the server signs its own, in lower case; without it, nothing is believed
 */
const readResults = (headers: readonly MessageHeader[], server: string | undefined): MethodResult[] => {
  const [topmost = ''] = findHeaders(headers, 'authentication-results');
  if (server === undefined || topmost.length > MAX_LENGTH) return [];
  const [service = '', ...results] = splitHeader(topmost, ';') ?? [];
  const [name, version = '1', ...others] = service.toLowerCase().split(' ');
  if (name !== server || version !== '1' || others.length > 0) return [];
  return results.flatMap((text) => {
    const [first = '', ...rest] = text.replace(/ ?= ?/g, '=').split(' ');
    const [, method, result] = /^([a-z][\w-]*)(?:\/1)?=([a-z]{1,32})$/.exec(first.toLowerCase()) ?? [];
    if (method === undefined || result === undefined) return [];
    const properties = rest.flatMap((property): [string, string][] => {
      const at = property.indexOf('=');
      return at < 0 ? [] : [[property.slice(0, at).toLowerCase(), property.slice(at + 1)]];
    });
    // The first of a name: others follow only where somebody has added them.
    return [{ method, result, properties: new Map(properties.toReversed()) }];
  });
};

const toSigningDomain = ({ properties }: MethodResult): string =>
  (properties.get('header.d') ?? properties.get('header.i')?.replace(/^.*@/, '') ?? '').toLowerCase();

/** What the mail server found out; undefined where it says nothing. */
export const readAuthentication = (
  headers: readonly MessageHeader[],
  server: string | undefined,
): Authentication | undefined => {
  const results = readResults(headers, server);
  if (results.length === 0) return undefined;
  const resultOf = (method: string) => results.find((one) => one.method === method)?.result;
  return {
    dmarc: resultOf('dmarc'),
    spf: resultOf('spf'),
    dkim: results
      .filter(({ method }) => method === 'dkim')
      .map((one) => ({ result: one.result, domain: toSigningDomain(one).slice(0, 253) }))
      .slice(0, MAX_SIGNATURES),
  };
};

/** The tags of a `DKIM-Signature` (RFC 6376, 3.2). */
const readTags = (value: string): Map<string, string> =>
  new Map(
    value.split(';').flatMap((tag) => {
      const [, name, text] = /^\s*([a-z]\w*)\s*=(.*)$/is.exec(tag) ?? [];
      return name === undefined || text === undefined ? [] : [[name, text.replace(/\s/g, '')]];
    }),
  );

/** The domain that somebody has registered, by the list of public suffixes (RFC 7489, 3.2). */
export const toOrganization = (domain: string): string =>
  getDomain(domain, { allowPrivateDomains: true }) ?? domain;

/** Whether the signatures of a domain are those of an author: relaxed alignment (RFC 7489, 3.1.1). */
const isAligned = (signing: string | undefined, from: string): boolean => {
  const [author, ...others] = readAuthors(from);
  if (author === undefined || others.length > 0 || !signing) return false;
  const domain = author.address.slice(author.address.lastIndexOf('@') + 1);
  return toOrganization(signing.toLowerCase()) === toOrganization(domain);
};

/**
 * Whether the mail server found a DKIM signature of the author's domain to be good that covers From and all these headers.
 * Signatures are told apart by their beginning; where several begin alike, which only happens on purpose, each must cover
 * them.
 *
 * @param from - of a sender that is clear
 * @param names - in lower case
 */
export const isSigned = (
  headers: readonly MessageHeader[],
  from: string,
  names: readonly string[],
  server: string | undefined,
): boolean => {
  const values = findHeaders(headers, 'dkim-signature');
  // A good signature may have been padded with white space, so that a false one takes its place.
  if (values.some((value) => value.length > MAX_LENGTH)) return false;
  const signatures = values.map(readTags);
  const prefixes = readResults(headers, server)
    .filter(({ method, result }) => method === 'dkim' && result === 'pass')
    .flatMap(({ properties }) => properties.get('header.b') ?? [])
    .filter((prefix) => prefix.length >= MIN_SIGNATURE_PREFIX);
  return prefixes.some((prefix) => {
    const alike = signatures.filter((tags) => tags.get('b')?.startsWith(prefix));
    return (
      alike.length > 0 &&
      alike.every((tags) => {
        const covered = new Set((tags.get('h') ?? '').toLowerCase().split(':'));
        return isAligned(tags.get('d'), from) && ['from', ...names].every((name) => covered.has(name));
      })
    );
  });
};
