import { EmailCategorySchema, EmailIdSchema, type ListEmailsQuery } from '@mailsweep/contracts';
import { z } from 'zod';

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
  /** Words to look for in sender and subject, among the email loaded so far. */
  find: z.string().max(200).optional().catch(undefined),
});
export type InboxFilters = z.infer<typeof InboxFiltersSchema>;

/** The filters, and the email that is open beside the list. */
export const InboxSearchSchema = InboxFiltersSchema.extend({
  email: EmailIdSchema.optional().catch(undefined),
});

/** Emails on the first page: more than a screen shows, few enough to be there soon. */
const FIRST_PAGE_SIZE = 30;
/** Emails on each later page. */
const LATER_PAGE_SIZE = 100;

/** The part of the filters that the API applies. */
export type ServerFilters = Omit<InboxFilters, 'find'>;

export const toServerFilters = ({ find: _find, ...filters }: InboxFilters): ServerFilters => filters;

export const toListEmailsQuery = (
  filters: ServerFilters,
  pageToken: string | undefined,
): Partial<ListEmailsQuery> => ({
  ...filters,
  pageSize: pageToken === undefined ? FIRST_PAGE_SIZE : LATER_PAGE_SIZE,
  pageToken,
});

/** How many filters narrow the list. */
export const countFilters = (filters: InboxFilters): number =>
  Object.values(filters).filter((value) => value !== undefined && value !== '').length;
