import { domainToUnicode } from 'node:url';
import type { Database } from '@mailsweep/database';
import type { EmailIdQuery, Mailbox } from '@mailsweep/mail/mailbox';
import {
  LISTED,
  readMessageText,
  readSender,
  type TextCipher,
  toPlainName,
  toSenderAddress,
} from '@mailsweep/mail/message-cache';
import type { SenderSources } from '../sender-groups/sender-source.repository.ts';
import { listUnansweredTexts, NO_LIMIT, type SenderReason } from './cached-protection.repository.ts';
import { listProtectedSenders } from './protection.repository.ts';

/** Length of the addresses of one search: with everything else, a URL stays below the 8 KB that servers take. */
const MAX_SEARCH_LENGTH = 6_000;

/** Senders of a plan about whom the provider is asked, and emails that are read of those that the search finds. */
const MAX_ASKED = 50;
const MAX_FOUND = 5;

/** What a search can't take, and no usual address has; emails of such senders are found in the cache alone. */
const UNSEARCHABLE = /["(){}\s\p{Cc}]/u;

/** Whether the provider can be asked for the emails of an address. */
export const isSearchable = (address: string): boolean => address !== '' && !UNSEARCHABLE.test(address);

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
 * The emails of protected senders and mailing lists, and of those whom the user has written to, with which it is: by list pages, 5 quota units
 * for every 500 of them, and for about every 120 senders. The provider may list emails of senders with similar addresses, too.
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
): Promise<Map<string, SenderReason>> => {
  const listOf = async (reason: SenderReason, rows: readonly { encryptedSender: string }[]) => {
    const names = rows.map(({ encryptedSender }) =>
      toSenderAddress(readSender(cipher, userId, encryptedSender) ?? ''),
    );
    const addresses = names
      .filter((name) => !name.startsWith(LISTED))
      // A domain is searched for in both spellings.
      .flatMap((address) => {
        const [, domain] = address.match(/^@(.*)$/) ?? [];
        return domain === undefined ? [address] : [domain, domainToUnicode(domain)];
      })
      .filter(isSearchable);
    const lists = names.filter((name) => name.startsWith(LISTED)).map(toPlainName);
    const found = await Promise.all([
      ...toSearches(new Set(addresses)).map((from) => mailbox.listEmailIds({ ...query, from }, NO_LIMIT)),
      ...lists.filter(isSearchable).map((list) => {
        // Providers know it by its id or by the address that this stands for.
        const search = `(list:"${list}" OR list:"${list.replace('@', '.')}")`;
        const searches = query.search === undefined ? search : `( ${query.search} ) ${search}`;
        return mailbox.listEmailIds({ ...query, search: searches }, NO_LIMIT);
      }),
    ]);
    return found.flatMap(({ emails }) => emails.map(({ id }) => [id, reason] as const));
  };
  const senders = await listProtectedSenders(database, userId, since);
  const [writtenTo, chosen] = await Promise.all([
    listOf('written_to', senders.written_to),
    listOf('protected', senders.protected),
  ]);
  return new Map([...writtenTo, ...chosen]);
};

/**
 * Finds out whether the user has ever written to senders of letters, for 5 quota units each, unless there are many. What is
 * found is read, at 20 units each: the cache notes to whom it was really sent, for a search finds longer addresses, too.
 *
 * @throws MailboxError when the mailbox can't be read
 */
export const readSentTo = async (
  { database, cipher }: { database: Database; cipher: TextCipher },
  mailbox: Mailbox,
  userId: string,
  senders: SenderSources,
): Promise<void> => {
  const rows = await listUnansweredTexts(database, userId, senders, MAX_ASKED + 1);
  if (rows.length > MAX_ASKED) return;
  const addresses = rows
    .map((row) => readMessageText(cipher, userId, row.emailId, row.encryptedText)?.from ?? '')
    .map(toSenderAddress)
    .filter(isSearchable);
  const found = await Promise.all(
    addresses.map((address) =>
      mailbox.listEmailIds({ scope: 'all', labelled: 'sent', search: `to:"${address}"` }, MAX_FOUND),
    ),
  );
  const ids = found.flatMap(({ emails }) => emails.map(({ id }) => id));
  if (ids.length > 0) await mailbox.findEmails([...new Set(ids)]);
};
