import { SummaryPeriodSchema } from '@mailsweep/contracts';
import { z } from 'zod';

/** What the activity shows, as the address bar holds it. */
export const ActivityFiltersSchema = z.object({
  /** The last seven days when left out. */
  period: z
    .enum([...SummaryPeriodSchema.options, 'all'])
    .optional()
    .catch(undefined),
  events: z.enum(['generated', 'confirmed']).optional().catch(undefined),
});
export type ActivityFilters = z.infer<typeof ActivityFiltersSchema>;
export type ActivityPeriod = NonNullable<ActivityFilters['period']>;
