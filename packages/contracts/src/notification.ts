import { z } from 'zod';
import {
  DomainEventTypeSchema,
  SuggestionsConfirmedSummarySchema,
  SuggestionsGeneratedSummarySchema,
} from './event-summary.ts';
import { paginated } from './pagination.ts';
import { CountsSchema, TimestampSchema } from './scalars.ts';
import { SummaryPeriodSchema } from './summary-period.ts';

/** A domain event as it is stored; `summary` holds what remains of the event's payload. */
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
    totalEvents: z.number().int().min(0),
    totalSuggestions: z.number().int().min(0),
    totalConfirmed: z.number().int().min(0),
    suggestedActions: CountsSchema,
    confirmedActions: CountsSchema,
    classifications: CountsSchema,
  })
  .meta({ id: 'NotificationSummary' });
export type NotificationSummary = z.infer<typeof NotificationSummarySchema>;
