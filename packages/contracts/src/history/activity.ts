import { z } from 'zod';
import { MAX_ACTIVITY_DECISIONS, MAX_INBOX_SIZES } from '../values/limits.ts';
import { CountSchema, CountsSchema } from '../values/scalars.ts';
import { SummaryPeriodSchema } from '../values/summary-period.ts';

/** Response of `GET /api/v1/activity`: what the user did. Undone actions do not count. */
export const ActivitySchema = z
  .object({
    period: SummaryPeriodSchema.nullable().meta({ description: 'null when it covers all time.' }),
    cleaned: z
      .object({
        emails: CountSchema,
        bytes: z.number().min(0).meta({
          description:
            'Size of those that were moved to the trash, as far as it is known. The mail provider frees it when it empties the trash.',
        }),
        senders: CountSchema.meta({ description: 'Who sent them, as far as it is known.' }),
      })
      .meta({ description: 'Emails that were archived, deleted or labelled, each counted once.' }),
    byAction: CountsSchema.meta({ description: 'These emails by what was done to each last.' }),
    bySource: CountsSchema.meta({ description: 'These emails by where that came from.' }),
    decisions: z
      .array(z.object({ classification: z.string(), accepted: CountSchema, rejected: CountSchema }))
      .max(MAX_ACTIVITY_DECISIONS)
      .meta({
        description:
          'Emails whose suggestion was accepted or rejected, by its classification, most first. The last decision about an email counts.',
      }),
    silencedSenders: CountSchema.meta({
      description: 'Senders of these emails that have nothing left in the inbox.',
    }),
    inboxSizes: z
      .array(z.object({ day: z.iso.date(), total: CountSchema, unread: CountSchema }))
      .max(MAX_INBOX_SIZES)
      .meta({
        description:
          'The inbox at the last count of each UTC day, oldest first; days without a count are left out.',
      }),
  })
  .meta({ id: 'Activity' });
export type Activity = z.infer<typeof ActivitySchema>;
