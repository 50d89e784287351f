import type { ApiClient } from '@mailsweep/client';
import {
  EMAIL_CATEGORIES,
  EMAIL_ID,
  type EmailCategory,
  type ListEmailsQuery,
  MAX_MAIL_SEARCH_LENGTH,
  toWords,
} from '@mailsweep/contracts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { readChoice, readMatch, readText, readWholeNumber, type Search } from '../../address/read-search.ts';
import { EMAIL_LISTS_KEY, MAX_PAGES_TO_REFRESH } from '../../api/query-keys.ts';

export const MAX_FIND_LENGTH = 200;

/** The inbox's filters, as in the address. Invalid values are dropped, so that old or mistyped links still open. */
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
  /** Words to find in the loaded rows. */
  find?: string;
}

/** Clears every filter. */
export const NO_FILTERS: Partial<InboxFilters> = {
  scope: undefined,
  unread: undefined,
  olderThan: undefined,
  category: undefined,
  minAttachmentSize: undefined,
  q: undefined,
  find: undefined,
};

/** Begins a search of all mail. */
export const toSearch = (q: string): Partial<InboxFilters> => ({ q, find: undefined, scope: 'all' });

/** Ends a search; a search of all mail leads back to the inbox. */
export const withoutSearch = ({ q }: InboxFilters): Partial<InboxFilters> => ({
  q: undefined,
  find: undefined,
  ...(q !== undefined && { scope: undefined }),
});

/** The filters, and the open email. */
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

/** More than a screen shows, few enough to be there soon. */
const FIRST_PAGE_SIZE = 30;
const LATER_PAGE_SIZE = 100;

export type ServerFilters = Omit<InboxFilters, 'find' | 'q'> & { search?: string };

export const toServerFilters = ({ find: _find, q, ...filters }: InboxFilters): ServerFilters => ({
  ...filters,
  ...(q !== undefined && { search: q }),
});

const toListEmailsQuery = (
  filters: ServerFilters,
  pageToken: string | undefined,
): Partial<ListEmailsQuery> => ({
  ...filters,
  pageSize: pageToken === undefined ? FIRST_PAGE_SIZE : LATER_PAGE_SIZE,
  pageToken,
});

/** Words that filter the loaded emails; operators such as `from:` wait for the search. */
export const toFindWords = ({ find = '' }: InboxFilters): string[] =>
  toWords(find).filter((word) => !/^-?\w+:/.test(word));

export const countFilters = (filters: InboxFilters): number =>
  Object.values(filters).filter((value) => value !== undefined && value !== '').length;

/** Older lists are refetched when the user returns. Unit: milliseconds. */
const LIST_STALE_MS = 60_000;

export const inboxQuery = (client: ApiClient, filters: ServerFilters) =>
  infiniteQueryOptions({
    queryKey: [...EMAIL_LISTS_KEY, filters] as const,
    queryFn: ({ pageParam, signal }) =>
      client.listEmails({ query: toListEmailsQuery(filters, pageParam), signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextPageToken,
    staleTime: LIST_STALE_MS,
    refetchOnWindowFocus: (query) => (query.state.data?.pages.length ?? 0) <= MAX_PAGES_TO_REFRESH,
    refetchOnMount: (query) => (query.state.data?.pages.length ?? 0) <= MAX_PAGES_TO_REFRESH,
  });
