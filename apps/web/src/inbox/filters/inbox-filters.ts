import {
  EMAIL_CATEGORIES,
  EMAIL_ID,
  type EmailCategory,
  type ListEmailsQuery,
  MAX_MAIL_SEARCH_LENGTH,
  toWords,
} from '@mailsweep/contracts';
import { readChoice, readMatch, readText, readWholeNumber, type Search } from '../../address/read-search.ts';

/** Longest text of the search field. */
export const MAX_FIND_LENGTH = 200;

/**
 * What the inbox shows, as the address bar holds it. A value that is not valid is left out, so that an old or
 * mistyped link still opens.
 */
export interface InboxFilters {
  scope?: 'all';
  unread?: true;
  /** Unit: days. */
  olderThan?: number;
  category?: EmailCategory;
  /** Unit: megabytes. */
  minAttachmentSize?: number;
  /** A search of the mailbox, with the provider's operators. */
  q?: string;
  /** Words to look for in what rows say, among the email loaded so far. */
  find?: string;
}

/** The change that takes every filter away. */
export const NO_FILTERS: Partial<InboxFilters> = {
  scope: undefined,
  unread: undefined,
  olderThan: undefined,
  category: undefined,
  minAttachmentSize: undefined,
  q: undefined,
  find: undefined,
};

/** The change that begins a search: it looks through all mail, not the inbox alone. */
export const toSearch = (q: string): Partial<InboxFilters> => ({ q, find: undefined, scope: 'all' });

/** The change that ends a search; one of all mail leads back to the inbox. */
export const withoutSearch = ({ q }: InboxFilters): Partial<InboxFilters> => ({
  q: undefined,
  find: undefined,
  ...(q !== undefined && { scope: undefined }),
});

/** The filters, and the email that is open over the list. */
export const readInboxSearch = (search: Search): InboxFilters & { email?: string } => ({
  scope: readChoice(search.scope, ['all']),
  unread: readChoice(search.unread, [true]),
  olderThan: readWholeNumber(search.olderThan, { min: 1, max: 36_500 }),
  category: readChoice(search.category, EMAIL_CATEGORIES),
  minAttachmentSize: readWholeNumber(search.minAttachmentSize, { min: 0, max: 10_000 }),
  q: readText(search.q, MAX_MAIL_SEARCH_LENGTH)?.trim() || undefined,
  find: readText(search.find, MAX_FIND_LENGTH),
  email: readMatch(search.email, EMAIL_ID),
});

/** Emails on the first page: more than a screen shows, few enough to be there soon. */
const FIRST_PAGE_SIZE = 30;
/** Emails on each later page. */
const LATER_PAGE_SIZE = 100;

/** The part of the filters that the API applies. */
export type ServerFilters = Omit<InboxFilters, 'find' | 'q'> & { search?: string };

export const toServerFilters = ({ find: _find, q, ...filters }: InboxFilters): ServerFilters => ({
  ...filters,
  ...(q !== undefined && { search: q }),
});

export const toListEmailsQuery = (
  filters: ServerFilters,
  pageToken: string | undefined,
): Partial<ListEmailsQuery> => ({
  ...filters,
  pageSize: pageToken === undefined ? FIRST_PAGE_SIZE : LATER_PAGE_SIZE,
  pageToken,
});

/** The words that filter the loaded emails; operators such as `from:` wait for the search. */
export const toFindWords = ({ find = '' }: InboxFilters): string[] =>
  toWords(find).filter((word) => !/^-?\w+:/.test(word));

/** How many filters narrow the list. */
export const countFilters = (filters: InboxFilters): number =>
  Object.values(filters).filter((value) => value !== undefined && value !== '').length;
