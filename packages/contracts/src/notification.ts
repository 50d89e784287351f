import { z } from 'zod';
import { CountsSchema } from './counts.ts';
import {
  DomainEventTypeSchema,
  SuggestionsConfirmedSummarySchema,
  SuggestionsGeneratedSummarySchema,
} from './domain-events.ts';
import { PaginationQuerySchema, paginated } from './pagination.ts';
import { TimestampSchema } from './scalars.ts';
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

/** Query of `GET /api/v1/notifications/events`. */
export const ListNotificationEventsQuerySchema = PaginationQuerySchema.extend({
  type: DomainEventTypeSchema.optional(),
  userId: z.string().min(1).max(128).optional().meta({
    description: 'Defaults to the signed-in user; the events of others are never shown.',
  }),
});
export type ListNotificationEventsQuery = z.infer<typeof ListNotificationEventsQuerySchema>;

/** Answer of `GET /api/v1/notifications/events`. */
export const ListNotificationEventsResponseSchema = paginated(NotificationEventRecordSchema).meta({
  id: 'NotificationEventPage',
});

/** Query of `GET /api/v1/notifications/summary`; without `period` it covers all time. */
export const NotificationSummaryQuerySchema = z.strictObject({ period: SummaryPeriodSchema.optional() });

/** Answer of `GET /api/v1/notifications/summary`. */
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
