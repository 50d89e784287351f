import { plural, t } from '@lingui/core/macro';
import { type Sender as ListedSender, readAuthors } from '@mailsweep/contracts';

/** A `From` header taken apart. */
export interface Sender {
  /** The display name, or the address. */
  name: string;
  address: string;
  /** Lower-cased address, which identifies the sender. */
  key: string;
}

/** The first author of an email, as the API gives them; the whole text where the sender is unclear, and the name of a group. */
export const parseSender = (from: string): Sender => {
  const [author] = readAuthors(from);
  const address = author?.written ?? from.trim().replace(/^(?:domain|list|unlisted):/, '');
  return {
    name: author?.name || address || t`Unknown sender`,
    address,
    key: author?.address ?? address.toLowerCase(),
  };
};

/** The name of a sender in a list, and what stands below it: the address, or how many a group has. */
export const describeSender = ({ from, group }: Pick<ListedSender, 'from' | 'group'>) => {
  const { name, address, key } = parseSender(from);
  if (group === undefined || group.name === key)
    return { title: name, detail: address === name ? '' : address };
  const detail =
    group.addresses === 1 ? address : plural(group.addresses, { one: '# address', other: '# addresses' });
  return { title: group.name, detail };
};

/** One or two letters for the avatar. */
export const toInitials = (name: string): string => {
  const words = name.split(/[\s.@_-]+/).filter((word) => /\p{L}|\p{N}/u.test(word));
  const letters = words.slice(0, 2).map((word) => /\p{L}|\p{N}/u.exec(word)?.[0] ?? '');
  return letters.join('').toUpperCase() || '?';
};

/** A stable number from 0 to `count - 1` for a text. */
export const toStableIndex = (text: string, count: number): number => {
  let sum = 7;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return sum % count;
};
