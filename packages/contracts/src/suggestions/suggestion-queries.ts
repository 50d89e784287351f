import { z } from 'zod';
import { PaginationQuerySchema } from '../values/pagination.ts';
import { queryNumber } from '../values/scalars.ts';
import { SenderIdSchema } from '../values/sender-order.ts';
import { ClassificationFilterSchema } from './suggestion.ts';

const minConfidence = queryNumber({ min: 0, max: 1 }).optional().meta({
  description: 'Only emails whose best suggestion has at least this confidence.',
});

const minAcceptance = queryNumber({ min: 0, max: 1 }).optional().meta({
  description: 'Only emails whose best suggestion the user accepts with at least this probability.',
});

/** Query of `GET /api/v1/suggestions/stored`. Filters apply to the best suggestion of each email. */
export const ListStoredSuggestionsQuerySchema = PaginationQuerySchema.extend({
  sender: SenderIdSchema.optional().meta({ description: 'Only emails from this sender.' }),
  classification: ClassificationFilterSchema.optional().meta({
    description: 'Only emails whose best suggestion has this classification.',
  }),
  minConfidence,
  minAcceptance,
});
export type ListStoredSuggestionsQuery = z.infer<typeof ListStoredSuggestionsQuerySchema>;

/** What stored suggestions are grouped by. */
export const SuggestionGroupingSchema = z.enum(['sender', 'classification']);
export type SuggestionGrouping = z.infer<typeof SuggestionGroupingSchema>;

/** Query of `GET /api/v1/suggestions/groups`. */
export const ListSuggestionGroupsQuerySchema = PaginationQuerySchema.extend({
  by: SuggestionGroupingSchema.default('sender').meta({
    description: 'Whether emails are grouped by sender, or by the classification of the best suggestion.',
  }),
  minConfidence,
  minAcceptance,
});
export type ListSuggestionGroupsQuery = z.infer<typeof ListSuggestionGroupsQuerySchema>;
