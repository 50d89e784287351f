import { z } from 'zod';
import { CountSchema, QueryBooleanSchema, TimestampSchema } from '../values/scalars.ts';
import { EmailCategorySchema } from './email.ts';

const count = { total: CountSchema, unread: CountSchema };

/** Query of `GET /api/v1/mailbox`. */
export const MailboxOverviewQuerySchema = z.strictObject({
  detailed: QueryBooleanSchema.optional().meta({
    description: 'true: also count all email, and the inbox by category.',
  }),
});
export type MailboxOverviewQuery = z.infer<typeof MailboxOverviewQuerySchema>;

/** Response of `GET /api/v1/mailbox`: the provider's counts of emails. */
export const MailboxOverviewSchema = z
  .object({
    inbox: z.object(count),
    categories: z.array(z.object({ category: EmailCategorySchema, ...count })).meta({
      description:
        'Emails of the whole mailbox by each category that it has, archived ones included; of primary, at Gmail, those that Gmail has put there.',
    }),
    all: CountSchema.optional().meta({
      description: 'Emails of the whole mailbox without spam and trash; with detailed=true only.',
    }),
    inboxCategories: z
      .array(z.object({ category: EmailCategorySchema, total: count.total }))
      .nullable()
      .optional()
      .meta({
        description:
          'Emails of the inbox by category as `GET /api/v1/emails` lists them, those without one in primary; with detailed=true only, and null for inboxes of more than 10,000 emails.',
      }),
    countedAt: TimestampSchema,
  })
  .meta({ id: 'MailboxOverview' });
export type MailboxOverview = z.infer<typeof MailboxOverviewSchema>;
