import { z } from 'zod';
import { EmailCategorySchema } from '../emails/email.ts';

/** What the provider of a mailbox can do, and what its users call it. */
export const MailboxCapabilitiesSchema = z
  .object({
    name: z.string().meta({ description: 'What its users call it.', example: 'Gmail' }),
    categories: z.array(EmailCategorySchema).meta({
      description: 'The categories that its emails can have; a filter by another one finds nothing.',
    }),
    hasQuotaUnits: z.boolean().meta({
      description:
        'Whether the provider counts calls in quota units. Where it does not, `unitsUsed` and `quotaUnits` are 0.',
    }),
    trashDays: z.number().int().min(1).nullable().meta({
      description: 'How many days the provider keeps email in the trash; null where that is not known.',
      example: 30,
    }),
    emailUrl: z.string().nullable().meta({
      description:
        'Where the provider’s web app shows an email, with `{emailId}` and `{address}` (of the user) to be replaced, percent-encoded; null where that is not known.',
      example: 'https://mail.google.com/mail/?authuser={address}#all/{emailId}',
    }),
  })
  .meta({ id: 'MailboxCapabilities' });
export type MailboxCapabilities = z.infer<typeof MailboxCapabilitiesSchema>;
