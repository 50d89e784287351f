/**
 * The address in a From header, by which mails of one sender belong together: what stands in the last angle brackets,
 * else the whole text; in lower case, since no mailbox provider tells addresses apart by case.
 */
export const toSenderAddress = (from: string): string => {
  const [, address = from] = from.match(/<([^<>]*)>[^<>]*$/) ?? [];
  return address.trim().toLowerCase();
};
