import { EmailCategorySchema, EmailIdSchema, type ListEmailsQuery } from '@mailsweep/contracts';
import { z } from 'zod';

/** Longest search that the API takes. */
const MAX_SEARCH_LENGTH = 500;
/** Longest text of the search field. */
export const MAX_FIND_LENGTH = 200;

/** The router reads `?q=2026` as a number. */
const toText = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;

/**
 * What the inbox shows, as the address bar holds it. A value that is not valid is left out, so that an old or
 * mistyped link still opens.
 */
const InboxFiltersSchema = z.object({
  scope: z.literal('all').optional().catch(undefined),
  unread: z.literal(true).optional().catch(undefined),
  olderThan: z.number().int().min(1).max(36_500).optional().catch(undefined),
  category: EmailCategorySchema.optional().catch(undefined),
  minAttachmentSize: z.number().int().min(0).max(10_000).optional().catch(undefined),
  /** A search of the mailbox, with the operators of Gmail. */
  q: z.preprocess(toText, z.string().trim().min(1).max(MAX_SEARCH_LENGTH).optional()).catch(undefined),
  /** Words to look for in sender and subject, among the email loaded so far. */
  find: z.preprocess(toText, z.string().max(MAX_FIND_LENGTH).optional()).catch(undefined),
});
export type InboxFilters = z.infer<typeof InboxFiltersSchema>;

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

/** The filters, and the email that is open beside the list. */
export const InboxSearchSchema = InboxFiltersSchema.extend({
  email: EmailIdSchema.optional().catch(undefined),
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
  find
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '' && !/^-?\w+:/.test(word));

/** How many filters narrow the list. */
export const countFilters = (filters: InboxFilters): number =>
  Object.values(filters).filter((value) => value !== undefined && value !== '').length;
