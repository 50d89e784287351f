import { createHmac, type KeyObject } from 'node:crypto';
import { toSenderNames } from '@mailsweep/contracts';

/**
 * The address in a From header, by which emails of one sender belong together: what is in the last angle brackets,
 * else the whole text; in lower case, since no mailbox provider tells addresses apart by case.
 */
export const toSenderAddress = (from: string): string => {
  const [, address = from] = from.match(/<([^<>]*)>[^<>]*$/) ?? [];
  return address.trim().toLowerCase();
};

/**
 * The key by which the mail of one sender in one mailbox belongs together: an HMAC-SHA-256 in hex. It covers the user's
 * id, so that no two users share a key for the same sender.
 *
 * @param userId - a UUID in its canonical form; its fixed length keeps the input unambiguous
 */
export const toSenderKey = (key: KeyObject, userId: string, from: string): string =>
  createHmac('sha256', key)
    .update(`${userId}\0${toSenderAddress(from)}`)
    .digest('hex');

/** The keys of the names by which a sender may be protected besides its own key (`toSenderNames`), in hex. */
export const toNameKeys = (key: KeyObject, userId: string, from: string): string[] => {
  const address = toSenderAddress(from);
  return toSenderNames(from).flatMap((name) => (name === address ? [] : [toSenderKey(key, userId, name)]));
};
