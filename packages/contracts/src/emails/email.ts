import { z } from 'zod';
import { EMAIL_CATEGORIES } from '../values/choices.ts';
import { EMAIL_ID } from '../values/email-id.ts';
import { TimestampSchema } from '../values/scalars.ts';

export const EmailCategorySchema = z.enum(EMAIL_CATEGORIES);
export type EmailCategory = z.infer<typeof EmailCategorySchema>;

/** Identifies a message at the provider. JMAP allows 255 characters (RFC 8620, 1.2). */
export const EmailIdSchema = z
  .string()
  .min(1)
  .max(255)
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
