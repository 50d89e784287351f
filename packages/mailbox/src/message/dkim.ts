import type { MessageHeader } from './header-text.ts';
import { splitHeader } from './structured-header.ts';

/** Longest header that is read, in UTF-16 units. */
const MAX_LENGTH = 16_384;
/** Fewest characters by which a result may name its signature (RFC 6008, 3). */
const MIN_SIGNATURE_PREFIX = 8;

const valuesOf = (headers: readonly MessageHeader[], name: string): string[] =>
  headers.filter((header) => header.name.toLowerCase() === name).map(({ value }) => value);

/** The beginnings of the signatures that the mail server found to be good, as `header.b` names them (RFC 6008). */
const readGoodSignatures = (headers: readonly MessageHeader[], server: string): string[] => {
  // Whatever else claims to be a result came with the message: the server puts its own on top (RFC 8601, 5).
  const [topmost = ''] = valuesOf(headers, 'authentication-results');
  if (topmost.length > MAX_LENGTH) return [];
  const [service = '', ...results] = splitHeader(topmost, ';') ?? [];
  const [name, version = '1', ...others] = service.toLowerCase().split(' ');
  if (name !== server || version !== '1' || others.length > 0) return [];
  return results.flatMap((result) => {
    const [method = '', ...properties] = result.replace(/ ?= ?/g, '=').split(' ');
    if (!/^dkim(\/1)?=pass$/i.test(method)) return [];
    const prefix = properties.find((property) => /^header\.b=/i.test(property))?.slice('header.b='.length);
    return prefix !== undefined && prefix.length >= MIN_SIGNATURE_PREFIX ? [prefix] : [];
  });
};

/** The tags of a `DKIM-Signature` (RFC 6376, 3.2). */
const readTags = (value: string): Map<string, string> =>
  new Map(
    value.split(';').flatMap((tag) => {
      const [, name, text] = /^\s*([a-z]\w*)\s*=(.*)$/is.exec(tag) ?? [];
      return name === undefined || text === undefined ? [] : [[name, text.replace(/\s/g, '')]];
    }),
  );

/**
 * Whether the mail server found a DKIM signature of the message to be good that covers all these headers. Signatures are told apart
 * by their beginning; where several begin alike, which only happens on purpose, each must cover them.
 *
 * @param names - in lower case
 * @param server - the name by which the server signs its own `Authentication-Results`, in lower case
 */
export const isSigned = (
  headers: readonly MessageHeader[],
  names: readonly string[],
  server: string,
): boolean => {
  const values = valuesOf(headers, 'dkim-signature');
  // A good signature may have been padded with white space, so that a false one takes its place.
  if (values.some((value) => value.length > MAX_LENGTH)) return false;
  const signatures = values.map(readTags);
  return readGoodSignatures(headers, server).some((prefix) => {
    const alike = signatures.filter((tags) => tags.get('b')?.startsWith(prefix));
    return (
      alike.length > 0 &&
      alike.every((tags) => {
        const covered = new Set((tags.get('h') ?? '').toLowerCase().split(':'));
        return names.every((name) => covered.has(name));
      })
    );
  });
};
