import { z } from 'zod';
import { QueryBooleanSchema, queryInteger, TimestampSchema } from './scalars.ts';

/** Bytes in one MB as `attachmentSizeMb` and `minAttachmentSize` count it. */
export const BYTES_PER_MB = 1024 * 1024;
/** Emails on a page when `pageSize` is left out. */
export const DEFAULT_PAGE_SIZE = 25;
/** Most emails on one page. */
export const MAX_PAGE_SIZE = 100;
/** Most days `olderThan` looks back: a century. */
const MAX_AGE_DAYS = 36_500;
/** Largest `minAttachmentSize`, in MB; no provider carries more in one message. */
const MAX_ATTACHMENT_MB = 10_000;

/** The mailbox category of an email; one without any category label is `primary`. */
export const EmailCategorySchema = z.enum(['promotions', 'social', 'updates', 'forums', 'primary']);
export type EmailCategory = z.infer<typeof EmailCategorySchema>;

/** Identifies a message at the mail provider. */
export const EmailIdSchema = z
  .string()
  .min(1)
  .max(128)
  // Identifiers travel in provider URLs: no separators, no control characters, and never dots alone, which a URL
  // takes for a step upwards.
  .regex(/^\.*[\w~@+=-][\w.~@+=-]*$/, { error: 'must be a mailbox message identifier' })
  .meta({ example: '18c2f0a1b2c3d4e5' });

/** An email as `GET /api/v1/emails` lists it. */
export const EmailSchema = z
  .object({
    id: z.string(),
    from: z.string(),
    subject: z.string(),
    date: TimestampSchema,
    labels: z.array(z.string()),
    isRead: z.boolean(),
    attachmentSizeMb: z
      .number()
      .min(0)
      .meta({ description: 'Sum of all attachments, in MB of 1,048,576 bytes.' }),
    category: EmailCategorySchema,
    snippet: z.string(),
    hasAttachment: z.boolean(),
    size: z.number().int().min(0).meta({ description: 'Size of the whole message in bytes.' }),
  })
  .meta({ id: 'Email' });
export type Email = z.infer<typeof EmailSchema>;

/** Which mail a list reads: the inbox, or everything but spam and trash. */
const MailScopeSchema = z.enum(['inbox', 'all']);

const mailPageQuery = {
  scope: MailScopeSchema.default('inbox').meta({
    description: 'inbox: only the inbox. all: everything but spam and trash.',
  }),
  pageSize: queryInteger({ min: 1, max: MAX_PAGE_SIZE }).default(DEFAULT_PAGE_SIZE),
  pageToken: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .meta({ description: 'The nextPageToken of the page before.' }),
};

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
  ...mailPageQuery,
});
export type ListEmailsQuery = z.infer<typeof ListEmailsQuerySchema>;

/** Answer of `GET /api/v1/emails`. `nextPageToken` is null on the last page. */
export const ListEmailsResponseSchema = z
  .object({
    emails: z.array(EmailSchema),
    nextPageToken: z.string().nullable(),
    total: z.number().int().min(0).meta({
      description: 'How many emails match; the mailbox may estimate it while further pages remain.',
    }),
  })
  .meta({ id: 'ListEmailsResponse' });
export type ListEmailsResponse = z.infer<typeof ListEmailsResponseSchema>;

/** Most emails one request may ask the names of. */
export const MAX_LOOKUP_IDS = 100;

/** Body of `POST /api/v1/emails/lookup`. */
export const LookUpEmailsRequestSchema = z
  .strictObject({ emailIds: z.array(EmailIdSchema).min(1).max(MAX_LOOKUP_IDS) })
  .meta({ id: 'LookUpEmailsRequest' });
export type LookUpEmailsRequest = z.infer<typeof LookUpEmailsRequestSchema>;

/** What an email is called: enough to recognize it by. */
export const EmailNameSchema = EmailSchema.pick({ id: true, from: true, subject: true }).meta({
  id: 'EmailName',
});
export type EmailName = z.infer<typeof EmailNameSchema>;

/** Answer of `POST /api/v1/emails/lookup`, in the order of the request; emails that are gone are left out. */
export const LookUpEmailsResponseSchema = z
  .object({ emails: z.array(EmailNameSchema) })
  .meta({ id: 'LookUpEmailsResponse' });
export type LookUpEmailsResponse = z.infer<typeof LookUpEmailsResponseSchema>;

/** Query of `GET /api/v1/suggestions`; every parameter may be left out. */
export const ListSuggestionsQuerySchema = z.strictObject(mailPageQuery);
export type ListSuggestionsQuery = z.infer<typeof ListSuggestionsQuerySchema>;
