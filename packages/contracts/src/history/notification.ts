import { z } from 'zod';
import { paginated } from '../values/pagination.ts';
import { CountSchema, CountsSchema, TimestampSchema } from '../values/scalars.ts';
import { SummaryPeriodSchema } from '../values/summary-period.ts';
import {
  DomainEventTypeSchema,
  SuggestionsConfirmedSummarySchema,
  SuggestionsGeneratedSummarySchema,
} from './domain-events.ts';

/** A stored domain event; `summary` has the stored part of its payload. */
export const NotificationEventRecordSchema = z
  .object({
    id: z.uuid(),
    type: DomainEventTypeSchema,
    userId: z.string(),
    summary: z
      .union([
        SuggestionsGeneratedSummarySchema,
        SuggestionsConfirmedSummarySchema,
        z.record(z.string(), z.json()),
      ])
      .default({}),
    createdAt: TimestampSchema,
    updatedAt: TimestampSchema,
  })
  .meta({ id: 'NotificationEventRecord' });
export type NotificationEventRecord = z.infer<typeof NotificationEventRecordSchema>;

/** Response of `GET /api/v1/notifications/events`. */
export const ListNotificationEventsResponseSchema = paginated(NotificationEventRecordSchema).meta({
  id: 'NotificationEventPage',
});

/** Response of `GET /api/v1/notifications/summary`. */
export const NotificationSummarySchema = z
  .object({
    period: SummaryPeriodSchema.nullable().meta({ description: 'null when the summary covers all time.' }),
    windowStart: TimestampSchema.nullable(),
    windowEnd: TimestampSchema.nullable(),
    totalEvents: CountSchema,
    totalSuggestions: CountSchema,
    totalConfirmed: CountSchema,
    suggestedActions: CountsSchema,
    confirmedActions: CountsSchema,
    classifications: CountsSchema,
  })
  .meta({ id: 'NotificationSummary' });
export type NotificationSummary = z.infer<typeof NotificationSummarySchema>;

/** Response of `GET /api/v1/suggestions/summary`: emails, each counted once. */
export const SuggestionSummarySchema = z
  .object({
    period: SummaryPeriodSchema.nullable().meta({ description: 'null when the summary covers all time.' }),
    suggested: CountSchema.meta({
      description: 'Emails for which the classification service suggested something.',
    }),
    accepted: CountSchema.meta({ description: 'Emails whose last decision was to accept.' }),
    rejected: CountSchema.meta({ description: 'Emails whose last decision was to reject.' }),
    actions: CountsSchema.meta({ description: 'Suggested emails by the action of the best suggestion.' }),
    classifications: CountsSchema.meta({
      description: 'Suggested emails by the classification of the best suggestion.',
    }),
  })
  .meta({ id: 'SuggestionSummary' });
export type SuggestionSummary = z.infer<typeof SuggestionSummarySchema>;
