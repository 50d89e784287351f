import { z } from 'zod';
import { ClassificationFilterSchema } from '../suggestions/suggestion.ts';
import { DEFAULT_PAGE, DEFAULT_PER_PAGE, MAX_PAGE, MAX_PER_PAGE } from '../values/pagination.ts';
import { queryIntegerOr, queryNumber } from '../values/scalars.ts';
import { SenderIdSchema, SenderSortSchema } from '../values/sender-order.ts';
import { SummaryPeriodSchema } from '../values/summary-period.ts';
import { DomainEventTypeSchema } from './event-summary.ts';
import { ActionSourceSchema, RecordedActionSchema } from './recorded-action.ts';

/** `page` and `perPage` as the lists of records take them; those without filters take no more. */
export const PaginationQuerySchema = z.strictObject({
  page: queryIntegerOr(DEFAULT_PAGE, { min: 1, max: MAX_PAGE }),
  perPage: queryIntegerOr(DEFAULT_PER_PAGE, { min: 1, max: MAX_PER_PAGE }),
});
export type Pagination = z.infer<typeof PaginationQuerySchema>;

/** Query of `GET /api/v1/senders`. */
export const ListSendersQuerySchema = PaginationQuerySchema.extend({
  sort: SenderSortSchema.default('mails').meta({ description: 'The highest value comes first.' }),
});
export type ListSendersQuery = z.infer<typeof ListSendersQuerySchema>;

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

/** Query of `GET /api/v1/notifications/history`, and of `GET /api/v1/notifications/history/batches`. */
export const ListActionHistoryQuerySchema = PaginationQuerySchema.extend({
  source: ActionSourceSchema.optional().meta({ description: 'Only actions that came from here.' }),
  action: RecordedActionSchema.optional().meta({ description: 'Only this action.' }),
  batch: z.uuid().optional().meta({ description: 'Only this batch.' }),
});
export type ListActionHistoryQuery = z.infer<typeof ListActionHistoryQuerySchema>;

/** Query of `GET /api/v1/notifications/events`. */
export const ListNotificationEventsQuerySchema = PaginationQuerySchema.extend({
  type: DomainEventTypeSchema.optional(),
  userId: z.string().min(1).max(128).optional().meta({
    description: 'Defaults to the signed-in user; the events of others are never shown.',
  }),
});
export type ListNotificationEventsQuery = z.infer<typeof ListNotificationEventsQuerySchema>;

/** Query of the summaries and of `GET /api/v1/activity`; without `period` it covers all time. */
export const NotificationSummaryQuerySchema = z.strictObject({ period: SummaryPeriodSchema.optional() });
