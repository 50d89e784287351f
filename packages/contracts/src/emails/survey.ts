import { z } from 'zod';
import { SURVEY_AGES } from '../values/choices.ts';
import { CountSchema, TimestampSchema } from '../values/scalars.ts';
import { EmailCategorySchema } from './email.ts';

export const SurveyAgeSchema = z.enum(SURVEY_AGES);
export type SurveyAge = z.infer<typeof SurveyAgeSchema>;

/** Emails of one category and age. */
export const SurveyCountSchema = z.object({
  category: EmailCategorySchema,
  age: SurveyAgeSchema,
  total: CountSchema,
  unread: CountSchema,
  inInbox: CountSchema,
});
export type SurveyCount = z.infer<typeof SurveyCountSchema>;

/** Response of `GET /api/v1/mailbox/survey`. */
export const SurveySchema = z
  .object({
    state: z.enum(['none', 'running', 'stopped', 'completed']).meta({
      description:
        'none: no scan of the whole mailbox has made one; stopped: the scan ended before it was done.',
    }),
    total: CountSchema.meta({ description: 'All emails by the totals of the mail provider.' }),
    counts: z.array(SurveyCountSchema).meta({
      description:
        'Exact counts by category and age, of each age as soon as it is listed; the categories that have emails. `month`: at most 30 days old, `year`: at most 365, `three_years`: at most 1,095, `older`: the rest.',
    }),
    unlisted: CountSchema.nullable().meta({
      description:
        'Emails whose sender is not among the listed ones; null until the whole mailbox is counted.',
    }),
    unitsUsed: CountSchema.meta({ description: 'Quota units taken; 0 where the provider has none.' }),
    startedAt: TimestampSchema.nullable(),
    finishedAt: TimestampSchema.nullable(),
  })
  .meta({ id: 'Survey' });
export type Survey = z.infer<typeof SurveySchema>;
