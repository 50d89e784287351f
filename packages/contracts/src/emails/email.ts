import { z } from 'zod';
import { EMAIL_CATEGORIES } from '../values/choices.ts';
import { EMAIL_ID } from '../values/email-id.ts';
import { CountSchema, TimestampSchema } from '../values/scalars.ts';

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
    sentAt: TimestampSchema.optional().meta({
      description:
        'When the email says that it was sent, where that is more than a day from `date`, when it was received. Ages count from `date`. Otherwise left out.',
    }),
    labels: z.array(z.string()),
    isRead: z.boolean(),
    attachmentSizeMb: z
      .number()
      .min(0)
      .meta({ description: 'Sum of all attachments, in MB of 1,048,576 bytes.' }),
    category: EmailCategorySchema,
    snippet: z.string(),
    hasAttachment: z.boolean(),
    size: CountSchema.meta({ description: 'Size of the whole message in bytes.' }),
    isSenderUnclear: z.boolean().optional().meta({
      description:
        'true: mail programs disagree who the author is, so `from` is only what the email says. It belongs to no sender, nothing is suggested for it, and bulk actions leave it alone. Otherwise left out.',
    }),
    failsDmarc: z.boolean().optional().meta({
      description:
        "true: the user's mail server found that the email did not come from the domain that it names (DMARC). Otherwise left out.",
    }),
    isDiscussion: z.boolean().optional().meta({
      description:
        'true: from a mailing list that takes posts, which has no one-click unsubscribing, or from one that the user has written to. It is no newsletter: no suggestions for newsletters. Otherwise left out.',
    }),
    mailboxes: z.array(z.string()).optional().meta({
      description:
        'Names of the mailboxes that it is in, in lists of a mail server that has several for an email. Otherwise left out.',
    }),
    threadId: z.string().optional().meta({ description: 'The conversation that the email belongs to.' }),
  })
  .meta({ id: 'Email' });
export type Email = z.infer<typeof EmailSchema>;

/**
 * Response of `GET /api/v1/emails`. `nextPageToken` is null on the last page. `total` is exact, or the least if
 * `totalIsExact` is false.
 */
export const ListEmailsResponseSchema = z
  .object({
    emails: z.array(EmailSchema),
    nextPageToken: z.string().nullable(),
    total: CountSchema.meta({
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
