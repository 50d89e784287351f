import { z } from 'zod';
import { UNKNOWN_SENDER } from '../values/choices.ts';
import { PaginationQuerySchema } from '../values/pagination.ts';
import { QueryBooleanSchema, SearchWordsSchema } from '../values/scalars.ts';
import { SenderIdSchema } from '../values/sender-order.ts';
import { SummaryPeriodSchema } from '../values/summary-period.ts';
import { DomainEventTypeSchema } from './domain-events.ts';
import { ActionSourceSchema, RecordedActionSchema } from './recorded-action.ts';

const filters = {
  source: ActionSourceSchema.optional().meta({ description: 'Only actions that came from here.' }),
  action: RecordedActionSchema.optional().meta({ description: 'Only records of this action.' }),
  batch: z.uuid().optional().meta({ description: 'Only the batch with this id.' }),
};

/** Query of `GET /api/v1/notifications/history`. */
export const ListActionHistoryQuerySchema = PaginationQuerySchema.extend({
  ...filters,
  sender: z
    .union([SenderIdSchema, z.literal(UNKNOWN_SENDER)])
    .optional()
    .meta({
      description: 'Only email of this sender; `unknown`: only email that is not cached any more.',
    }),
  search: SearchWordsSchema.optional().meta({
    description: 'Only email whose sender and subject have all these words.',
  }),
});
export type ListActionHistoryQuery = z.infer<typeof ListActionHistoryQuerySchema>;

/** Query of `GET /api/v1/notifications/history/batches`. */
export const ListActionBatchesQuerySchema = PaginationQuerySchema.extend({
  ...filters,
  undoable: QueryBooleanSchema.optional().meta({
    description:
      'true: only batches of which something is left to undo, and whose undo as a whole was not asked for yet; false: only the others.',
  }),
  search: SearchWordsSchema.optional().meta({
    description: 'Only batches with an email whose sender and subject have all these words.',
  }),
});
export type ListActionBatchesQuery = z.infer<typeof ListActionBatchesQuerySchema>;

/** Query of `GET /api/v1/notifications/history/batches/{id}/senders`. */
export const ListBatchSendersQuerySchema = PaginationQuerySchema.extend({
  search: SearchWordsSchema.optional().meta({
    description: 'Only email whose sender and subject have all these words.',
  }),
});
export type ListBatchSendersQuery = z.infer<typeof ListBatchSendersQuerySchema>;

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
