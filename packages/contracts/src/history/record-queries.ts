import { z } from 'zod';
import { PaginationQuerySchema } from '../values/pagination.ts';
import { SummaryPeriodSchema } from '../values/summary-period.ts';
import { DomainEventTypeSchema } from './event-summary.ts';
import { ActionSourceSchema, RecordedActionSchema } from './recorded-action.ts';

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
