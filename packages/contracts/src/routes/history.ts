import { UndoParamsSchema, UndoRequestSchema, UndoResponseSchema } from '../actions/mailbox-action.ts';
import {
  ActionBatchParamsSchema,
  ActionBatchSchema,
  ListActionBatchesResponseSchema,
  ListBatchSendersResponseSchema,
} from '../history/action-batch.ts';
import { ListActionHistoryResponseSchema } from '../history/action-history.ts';
import { ActivitySchema } from '../history/activity.ts';
import { ListNotificationEventsResponseSchema, NotificationSummarySchema } from '../history/notification.ts';
import {
  ListActionBatchesQuerySchema,
  ListActionHistoryQuerySchema,
  ListBatchSendersQuerySchema,
  ListNotificationEventsQuerySchema,
  NotificationSummaryQuerySchema,
} from '../history/record-queries.ts';
import { defineRoutes } from './route-contract.ts';

export const HISTORY_ROUTES = defineRoutes({
  listActionHistory: {
    method: 'get',
    path: '/api/v1/notifications/history',
    query: ListActionHistoryQuerySchema,
    response: ListActionHistoryResponseSchema,
  },
  listActionBatches: {
    method: 'get',
    path: '/api/v1/notifications/history/batches',
    query: ListActionBatchesQuerySchema,
    response: ListActionBatchesResponseSchema,
  },
  listBatchSenders: {
    method: 'get',
    path: '/api/v1/notifications/history/batches/{id}/senders',
    params: ActionBatchParamsSchema,
    query: ListBatchSendersQuerySchema,
    response: ListBatchSendersResponseSchema,
  },
  undoActionBatch: {
    method: 'post',
    path: '/api/v1/notifications/history/batches/{id}/undo',
    params: ActionBatchParamsSchema,
    response: ActionBatchSchema,
    accepts: true,
    idempotent: true,
  },
  undoActions: {
    method: 'post',
    path: '/api/v1/notifications/history/undo',
    body: UndoRequestSchema,
    response: UndoResponseSchema,
    idempotent: true,
  },
  undoAction: {
    method: 'post',
    path: '/api/v1/notifications/history/{id}/undo',
    params: UndoParamsSchema,
    response: UndoResponseSchema,
    idempotent: true,
  },
  listNotificationEvents: {
    method: 'get',
    path: '/api/v1/notifications/events',
    query: ListNotificationEventsQuerySchema,
    response: ListNotificationEventsResponseSchema,
  },
  summarizeNotifications: {
    method: 'get',
    path: '/api/v1/notifications/summary',
    query: NotificationSummaryQuerySchema,
    response: NotificationSummarySchema,
  },
  getActivity: {
    method: 'get',
    path: '/api/v1/activity',
    query: NotificationSummaryQuerySchema,
    response: ActivitySchema,
  },
});
