import { ACCEPTANCE_BANDS, EmailIdSchema, type SuggestionGrouping } from '@mailsweep/contracts';
import { z } from 'zod';
import type { SuggestionView } from '../queries/suggestions-query.ts';

/** How sure the suggestions are that are shown, from the surest on. */
const ShownSchema = z.enum(['sure', 'likely', 'everything']);
export type Shown = z.infer<typeof ShownSchema>;

/** How the suggestions are shown, as the address bar holds it. */
const ReviewFiltersSchema = z.object({
  /** By sender when left out. */
  by: z.literal('reason').optional().catch(undefined),
  /** Only the sure ones when left out. */
  show: ShownSchema.optional().catch(undefined),
});
export type ReviewFilters = z.infer<typeof ReviewFiltersSchema>;

/** The filters, and the email that is open beside its group. */
export const ReviewSearchSchema = ReviewFiltersSchema.extend({
  email: EmailIdSchema.optional().catch(undefined),
});

const LEAST_ACCEPTANCE: Record<Shown, number> = { ...ACCEPTANCE_BANDS, everything: 0 };

const toGrouping = ({ by }: ReviewFilters): SuggestionGrouping =>
  by === 'reason' ? 'classification' : 'sender';

/** What to ask the API for. */
export const toView = (filters: ReviewFilters): SuggestionView => ({
  by: toGrouping(filters),
  minAcceptance: LEAST_ACCEPTANCE[filters.show ?? 'sure'],
});
