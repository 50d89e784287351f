import { createHmac, type KeyObject } from 'node:crypto';

/**
 * The address in a From header, by which mails of one sender belong together: what stands in the last angle brackets,
 * else the whole text; in lower case, since no mailbox provider tells addresses apart by case.
 */
export const toSenderAddress = (from: string): string => {
  const [, address = from] = from.match(/<([^<>]*)>[^<>]*$/) ?? [];
  return address.trim().toLowerCase();
};

/** What tells the mail of one sender from that of others without naming them: a keyed hash, in hex. */
export const toSenderKey = (key: KeyObject, from: string): string =>
  createHmac('sha256', key).update(toSenderAddress(from)).digest('hex');
