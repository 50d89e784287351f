import { z } from 'zod';
import { TimestampSchema } from '../values/scalars.ts';
import { EmailCategorySchema } from './email.ts';

const count = { total: z.number().int().min(0), unread: z.number().int().min(0) };

/** Response of `GET /api/v1/mailbox`: how many emails there are, by the counts that the provider keeps. */
export const MailboxOverviewSchema = z
  .object({
    inbox: z.object(count),
    categories: z.array(z.object({ category: EmailCategorySchema, ...count })).meta({
      description:
        'Emails of the whole mailbox with the label of each category, archived ones included; of primary, those that Gmail has put there.',
    }),
    countedAt: TimestampSchema,
  })
  .meta({ id: 'MailboxOverview' });
export type MailboxOverview = z.infer<typeof MailboxOverviewSchema>;
