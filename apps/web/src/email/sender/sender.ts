import { t } from '@lingui/core/macro';
/** A `From` header taken apart. */
export interface Sender {
  /** What to call the sender: the display name, or the address when there is none. */
  name: string;
  address: string;
  /** Lower-cased address; emails with the same key count as one sender. */
  key: string;
}

const unquote = (text: string): string =>
  text
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .replace(/\\(["\\])/g, '$1')
    .trim();

/** Reads a `From` header as the API gives it (RFC 5322: `"Name" <address>`, `Name <address>` or `address`). */
export const parseSender = (from: string): Sender => {
  const match = /^(.*)<([^<>]*)>\s*$/s.exec(from);
  const address = (match?.[2] ?? from).trim();
  const name = unquote(match?.[1] ?? '');
  return {
    name: name || address || t`Unknown sender`,
    address,
    key: address.toLowerCase() || from.toLowerCase(),
  };
};

/** One or two letters that represent the sender in the avatar of an email. */
export const toInitials = (name: string): string => {
  const words = name.split(/[\s.@_-]+/).filter((word) => /\p{L}|\p{N}/u.test(word));
  const letters = words.slice(0, 2).map((word) => /\p{L}|\p{N}/u.exec(word)?.[0] ?? '');
  return letters.join('').toUpperCase() || '?';
};

/** A number from 0 to `count - 1` that stays the same for the same text. */
export const toStableIndex = (text: string, count: number): number => {
  let sum = 7;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return sum % count;
};
