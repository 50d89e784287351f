import { createHmac, type KeyObject } from 'node:crypto';
import { readAuthors, toSenderNames } from '@mailsweep/contracts';
import type { MessageFacts } from '@mailsweep/mail/mailbox';

/** The address by which emails of one sender belong together: that of the first author; else the text in lower case. */
export const toSenderAddress = (from: string): string =>
  readAuthors(from)[0]?.address ?? from.trim().toLowerCase();

/** What begins the name of a group of senders. */
const GROUP_NAME = /^(?:domain|list|unlisted|listed):/;
/** What begins the name of a protected mailing list: its key is that of its messages, with the mark of a group. */
export const LISTED = 'listed:';
/** What begins the key of a group, and that of one sender in 2 ** 64. */
const GROUP_MARK = 'f'.repeat(16);

/** Whether a key is that of a group of senders: a domain, a mailing list, or a sender's emails that came by none. */
export const isGroupKey = (key: string): boolean => key.startsWith(GROUP_MARK);

/** The domain, the mailing list or the address that a group is named by. */
export const toPlainName = (name: string): string => name.replace(GROUP_NAME, '');

/**
 * The key by which the mail of one sender in one mailbox belongs together: an HMAC-SHA-256 in hex. It covers the user's
 * id, so that no two users share a key for the same sender.
 *
 * @param userId - a UUID in its canonical form; its fixed length keeps the input unambiguous
 * @param from - of a group, its name
 */
export const toSenderKey = (key: KeyObject, userId: string, from: string): string => {
  const address = toSenderAddress(from);
  const named = address.startsWith(LISTED) ? toPlainName(address) : address;
  const digest = createHmac('sha256', key).update(`${userId}\0${named}`).digest('hex');
  return GROUP_NAME.test(address) ? GROUP_MARK + digest.slice(GROUP_MARK.length) : digest;
};

/** The keys of a message in hex: of its sender, and of the other names by which it may be protected. */
export interface SenderKeys {
  /** Empty where the sender is unclear: the message belongs to nobody. */
  senderKey: string;
  nameKeys: string[];
  /** Of the mailing list that it came by. */
  listKey: string | null;
}

export const toSenderKeys = (
  key: KeyObject,
  userId: string,
  { from, isSenderUnclear, listAddress }: Pick<MessageFacts, 'from' | 'isSenderUnclear' | 'listAddress'>,
): SenderKeys => {
  const listKey = listAddress === undefined ? null : toSenderKey(key, userId, listAddress);
  if (isSenderUnclear) return { senderKey: '', nameKeys: [], listKey };
  const address = toSenderAddress(from);
  // Senders that were protected by an earlier version have the spelling of the email.
  const written = readAuthors(from).map((author) => author.written.toLowerCase());
  const names = new Set([...toSenderNames(from), ...written]);
  names.delete(address);
  return {
    senderKey: toSenderKey(key, userId, address),
    nameKeys: [...names].map((name) => toSenderKey(key, userId, name)),
    listKey,
  };
};
