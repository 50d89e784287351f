import { z } from 'zod';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../values/limits.ts';
import { QueryBooleanSchema, queryInteger, queryIntegerOr } from '../values/scalars.ts';
import { EmailCategorySchema } from './email.ts';
import { MailSearchSchema } from './mail-search.ts';

/** Most days `olderThan` looks back: a century. */
const MAX_AGE_DAYS = 36_500;
/** Largest `minAttachmentSize`, in MB; no provider carries more. */
const MAX_ATTACHMENT_MB = 10_000;

/** Which emails a list reads: the inbox, or everything but spam, trash, drafts and chats. */
const MailScopeSchema = z.enum(['inbox', 'all']);

const mailPageQuery = {
  scope: MailScopeSchema.default('inbox').meta({
    description: 'inbox: only the inbox. all: everything but spam, trash, drafts and chats.',
  }),
  pageSize: queryIntegerOr(DEFAULT_PAGE_SIZE, { min: 1, max: MAX_PAGE_SIZE }),
  pageToken: z.string().min(1).max(512).optional().meta({
    description: 'The nextPageToken of the page before, with the same filters and scope.',
  }),
};

/** An age in days, in a JSON body. */
export const AgeSchema = z.number().int().min(0).max(MAX_AGE_DAYS);

/** The filters of `GET /api/v1/emails` in a JSON body. */
export const MailFiltersSchema = z.strictObject({
  scope: MailScopeSchema.default('inbox'),
  unread: z.boolean().optional(),
  olderThan: AgeSchema.optional(),
  category: EmailCategorySchema.optional(),
  minAttachmentSize: z.number().int().min(0).max(MAX_ATTACHMENT_MB).optional(),
  search: MailSearchSchema.optional(),
});
export type MailFilters = z.infer<typeof MailFiltersSchema>;

/** Query of `GET /api/v1/emails`. */
export const ListEmailsQuerySchema = z.strictObject({
  unread: QueryBooleanSchema.optional().meta({ description: 'true: only unread emails.' }),
  olderThan: queryInteger({ min: 0, max: MAX_AGE_DAYS })
    .optional()
    .meta({ description: 'Only emails older than this many days.' }),
  category: EmailCategorySchema.optional(),
  minAttachmentSize: queryInteger({ min: 0, max: MAX_ATTACHMENT_MB })
    .optional()
    .meta({ description: 'Only emails whose attachments are larger than this many MB.' }),
  search: MailSearchSchema.optional().meta({
    description:
      'Only emails that this search finds, with the operators of Gmail, such as from:, subject:, has:attachment and older_than:. An operator that the mailbox does not have returns 400, which names those that it has.',
  }),
  ...mailPageQuery,
});
export type ListEmailsQuery = z.infer<typeof ListEmailsQuerySchema>;

/** Query of `GET /api/v1/suggestions`; every parameter may be left out. */
export const ListSuggestionsQuerySchema = z.strictObject(mailPageQuery);
export type ListSuggestionsQuery = z.infer<typeof ListSuggestionsQuerySchema>;
