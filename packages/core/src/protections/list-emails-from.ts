import { domainToUnicode } from 'node:url';
import type { Database } from '@mailsweep/database';
import type { EmailIdQuery, Mailbox } from '@mailsweep/mailbox';
import { type TextCipher, toSenderAddress } from '@mailsweep/message-cache';
import { listProtectedSenders } from './protection.repository.ts';
import { readSender } from './sender-text.ts';

/** Length of the addresses of one search: with everything else, a URL stays below the 8 KB that servers take. */
const MAX_SEARCH_LENGTH = 6_000;
/** Exclusions have to be complete: more emails than any mailbox lists. */
const NO_LIMIT = 1_000_000;

/** What a search can't take, and no usual address has; emails of such senders are found in the cache alone. */
const UNSEARCHABLE = /["(){}\s\p{Cc}]/u;

const toSearches = (addresses: Iterable<string>): string[][] => {
  const searches: string[][] = [];
  let length = MAX_SEARCH_LENGTH;
  for (const address of addresses) {
    const added = encodeURIComponent(`"${address}" OR `).length;
    length += added;
    if (length > MAX_SEARCH_LENGTH) {
      searches.push([]);
      length = added;
    }
    searches.at(-1)?.push(address);
  }
  return searches;
};

/**
 * The emails of protected senders, by list pages: 5 quota units for every 500 of them, and for about every 120 senders.
 * The provider may list emails of senders with similar addresses, too.
 *
 * @param query - the emails that are looked at
 * @param since - only of senders protected since then
 * @throws MailboxError when the mailbox can't be read
 */
export const listEmailsFromProtected = async (
  { database, cipher }: { database: Database; cipher: TextCipher },
  mailbox: Mailbox,
  userId: string,
  query: EmailIdQuery,
  since?: Date,
): Promise<Set<string>> => {
  const rows = await listProtectedSenders(database, userId, since);
  const addresses = rows
    .map(({ encryptedSender }) => toSenderAddress(readSender(cipher, userId, encryptedSender) ?? ''))
    // A domain is searched for in both spellings.
    .flatMap((address) => {
      const [, domain] = address.match(/^@(.*)$/) ?? [];
      return domain === undefined ? [address] : [domain, domainToUnicode(domain)];
    })
    .filter((address) => address !== '' && !UNSEARCHABLE.test(address));
  const found = await Promise.all(
    toSearches(new Set(addresses)).map((from) => mailbox.listEmailIds({ ...query, from }, NO_LIMIT)),
  );
  return new Set(found.flatMap(({ emails }) => emails.map(({ id }) => id)));
};
