import { z } from 'zod';
import { TimestampSchema } from '../values/scalars.ts';

/** Bytes in one MB as `attachmentSizeMb` and `minAttachmentSize` count it. */
export const BYTES_PER_MB = 1024 * 1024;
/** Emails on a page when `pageSize` is left out. */
export const DEFAULT_PAGE_SIZE = 25;
/** Most emails on one page. */
export const MAX_PAGE_SIZE = 100;

/** The mailbox category of an email; one without any category label is `primary`. */
export const EMAIL_CATEGORIES = ['promotions', 'social', 'updates', 'forums', 'primary'] as const;
export const EmailCategorySchema = z.enum(EMAIL_CATEGORIES);
export type EmailCategory = z.infer<typeof EmailCategorySchema>;

/**
 * Form of {@link EmailIdSchema}. Identifiers travel in provider URLs: no separators, no control characters, and never
 * dots alone, which a URL takes for a step upwards.
 */
export const EMAIL_ID = /^\.*[\w~@+=-][\w.~@+=-]*$/;

/** Identifies a message at the provider. */
export const EmailIdSchema = z
  .string()
  .min(1)
  .max(128)
  .regex(EMAIL_ID, { error: 'must be a mailbox message identifier' })
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
    threadId: z.string().optional().meta({ description: 'The conversation that the email belongs to.' }),
  })
  .meta({ id: 'Email' });
export type Email = z.infer<typeof EmailSchema>;

/**
 * Response of `GET /api/v1/emails`. `nextPageToken` is null on the last page. `total` is never an estimate: either it is
 * exact, or `totalIsExact` is false and there are at least so many.
 */
export const ListEmailsResponseSchema = z
  .object({
    emails: z.array(EmailSchema),
    nextPageToken: z.string().nullable(),
    total: z.number().int().min(0).meta({
      description:
        'How many emails match: of the inbox without filters, or with unread alone, the number that the mailbox keeps, at most a minute old; otherwise those on this page and on the pages before.',
    }),
    totalIsExact: z
      .boolean()
      .optional()
      .meta({ description: 'false: further pages remain, and at least total emails match.' }),
  })
  .meta({ id: 'ListEmailsResponse' });
export type ListEmailsResponse = z.infer<typeof ListEmailsResponseSchema>;

/** Most emails one request may act upon (docs/decisions/003). */
export const MAX_EMAIL_IDS = 1_000;

/** Most emails one request may ask the names of. */
export const MAX_LOOKUP_IDS = 100;
