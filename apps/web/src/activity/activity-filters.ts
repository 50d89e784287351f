import { SummaryPeriodSchema } from '@mailsweep/contracts';
import { z } from 'zod';

/** What the activity shows, as the address bar holds it. */
export const ActivityFiltersSchema = z.object({
  /** All time when left out. */
  period: SummaryPeriodSchema.optional().catch(undefined),
});
