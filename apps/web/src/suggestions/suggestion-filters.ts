import { z } from 'zod';

/** How the suggestions are shown, as the address bar holds it. */
export const SuggestionFiltersSchema = z.object({
  /** By sender when left out. */
  by: z.literal('reason').optional().catch(undefined),
  /** Only suggestions at least this sure. Unit: percent. */
  sure: z.number().int().min(1).max(100).optional().catch(undefined),
});
export type SuggestionFilters = z.infer<typeof SuggestionFiltersSchema>;
export type Grouping = 'sender' | 'reason';

export const toGrouping = (filters: SuggestionFilters): Grouping => filters.by ?? 'sender';
