import { z } from 'zod';
import {
  ActionBatchParamsSchema,
  ActionBatchSchema,
  ListActionBatchesResponseSchema,
} from './action-batch.ts';
import { ListActionHistoryResponseSchema } from './action-history.ts';
import { ListAuditEntriesResponseSchema } from './audit.ts';
import {
  CleanupParamsSchema,
  CleanupPlanSchema,
  CleanupSchema,
  CreateCleanupRequestSchema,
  ListCleanupEmailsQuerySchema,
  ListCleanupEmailsResponseSchema,
  ListCleanupsResponseSchema,
} from './cleanup.ts';
import { ConversationParamsSchema, ConversationSchema } from './conversation.ts';
import { ListEmailsResponseSchema } from './email.ts';
import { LookUpEmailsRequestSchema, LookUpEmailsResponseSchema } from './email-lookup.ts';
import { ListEmailsQuerySchema, ListSuggestionsQuerySchema } from './email-query.ts';
import { DatabaseHealthSchema, HealthSchema } from './health.ts';
import {
  ConfirmRequestSchema,
  ConfirmResponseSchema,
  InboxActionRequestSchema,
  InboxActionResponseSchema,
  UndoParamsSchema,
  UndoRequestSchema,
  UndoResponseSchema,
} from './mailbox-action.ts';
import {
  ListNotificationEventsResponseSchema,
  NotificationSummarySchema,
  SuggestionSummarySchema,
} from './notification.ts';
import { EraseMeRequestSchema, PersonalDataExportSchema } from './personal-data.ts';
import {
  ListActionHistoryQuerySchema,
  ListNotificationEventsQuerySchema,
  ListSendersQuerySchema,
  ListStoredSuggestionsQuerySchema,
  NotificationSummaryQuerySchema,
  PaginationQuerySchema,
} from './record-queries.ts';
import type { RouteContract } from './route-contract.ts';
import { ListScansResponseSchema, ScanParamsSchema, ScanSchema, StartScanRequestSchema } from './scan.ts';
import {
  ListSenderEmailsResponseSchema,
  ListSendersResponseSchema,
  ListStoredSuggestionsResponseSchema,
  SenderParamsSchema,
} from './sender.ts';
import { MeSchema } from './session.ts';
import { ListSuggestionsResponseSchema } from './suggestion.ts';
import { ListSessionsResponseSchema, SessionParamsSchema } from './user-session.ts';

/** Response without a body: status 204. */
export const NoContentSchema = z.undefined();

const defineRoutes = <const T extends Record<string, RouteContract>>(routes: T) => routes;

/**
 * Every route that responds with a stream of server-sent events (`text/event-stream`); `response` is what the `data` of
 * each event holds. It responds with 204 once there is nothing more to come, which keeps an EventSource from coming back.
 */
export const STREAM_ROUTES = defineRoutes({
  followScan: {
    method: 'get',
    path: '/api/v1/scans/{id}/events',
    authenticated: true,
    params: ScanParamsSchema,
    response: ScanSchema,
  },
  followCleanup: {
    method: 'get',
    path: '/api/v1/cleanups/{id}/events',
    authenticated: true,
    params: CleanupParamsSchema,
    response: CleanupSchema,
  },
});

/** Every JSON route of the API, version 1. */
export const API_ROUTES = defineRoutes({
  listEmails: {
    method: 'get',
    path: '/api/v1/emails',
    authenticated: true,
    query: ListEmailsQuerySchema,
    response: ListEmailsResponseSchema,
  },
  lookUpEmails: {
    method: 'post',
    path: '/api/v1/emails/lookup',
    authenticated: true,
    body: LookUpEmailsRequestSchema,
    response: LookUpEmailsResponseSchema,
  },
  readConversation: {
    method: 'get',
    path: '/api/v1/conversations/{threadId}',
    authenticated: true,
    params: ConversationParamsSchema,
    response: ConversationSchema,
  },
  executeInboxAction: {
    method: 'post',
    path: '/api/v1/inbox/actions',
    authenticated: true,
    body: InboxActionRequestSchema,
    response: InboxActionResponseSchema,
    idempotent: true,
  },
  listSuggestions: {
    method: 'get',
    path: '/api/v1/suggestions',
    authenticated: true,
    query: ListSuggestionsQuerySchema,
    response: ListSuggestionsResponseSchema,
  },
  confirmSuggestions: {
    method: 'post',
    path: '/api/v1/notifications/confirm',
    authenticated: true,
    body: ConfirmRequestSchema,
    response: ConfirmResponseSchema,
    idempotent: true,
  },
  startScan: {
    method: 'post',
    path: '/api/v1/scans',
    authenticated: true,
    body: StartScanRequestSchema,
    response: ScanSchema,
    accepts: true,
    idempotent: true,
  },
  listScans: {
    method: 'get',
    path: '/api/v1/scans',
    authenticated: true,
    query: PaginationQuerySchema,
    response: ListScansResponseSchema,
  },
  getScan: {
    method: 'get',
    path: '/api/v1/scans/{id}',
    authenticated: true,
    params: ScanParamsSchema,
    response: ScanSchema,
  },
  cancelScan: {
    method: 'post',
    path: '/api/v1/scans/{id}/cancel',
    authenticated: true,
    params: ScanParamsSchema,
    response: ScanSchema,
    idempotent: true,
  },
  createCleanup: {
    method: 'post',
    path: '/api/v1/cleanups',
    authenticated: true,
    body: CreateCleanupRequestSchema,
    response: CleanupPlanSchema,
    idempotent: true,
  },
  listCleanups: {
    method: 'get',
    path: '/api/v1/cleanups',
    authenticated: true,
    query: PaginationQuerySchema,
    response: ListCleanupsResponseSchema,
  },
  getCleanup: {
    method: 'get',
    path: '/api/v1/cleanups/{id}',
    authenticated: true,
    params: CleanupParamsSchema,
    response: CleanupPlanSchema,
  },
  listCleanupEmails: {
    method: 'get',
    path: '/api/v1/cleanups/{id}/emails',
    authenticated: true,
    params: CleanupParamsSchema,
    query: ListCleanupEmailsQuerySchema,
    response: ListCleanupEmailsResponseSchema,
  },
  runCleanup: {
    method: 'post',
    path: '/api/v1/cleanups/{id}/run',
    authenticated: true,
    params: CleanupParamsSchema,
    response: CleanupSchema,
    idempotent: true,
  },
  pauseCleanup: {
    method: 'post',
    path: '/api/v1/cleanups/{id}/pause',
    authenticated: true,
    params: CleanupParamsSchema,
    response: CleanupSchema,
    idempotent: true,
  },
  resumeCleanup: {
    method: 'post',
    path: '/api/v1/cleanups/{id}/resume',
    authenticated: true,
    params: CleanupParamsSchema,
    response: CleanupSchema,
    idempotent: true,
  },
  cancelCleanup: {
    method: 'post',
    path: '/api/v1/cleanups/{id}/cancel',
    authenticated: true,
    params: CleanupParamsSchema,
    response: CleanupSchema,
    idempotent: true,
  },
  undoCleanup: {
    method: 'post',
    path: '/api/v1/cleanups/{id}/undo',
    authenticated: true,
    params: CleanupParamsSchema,
    response: CleanupSchema,
    accepts: true,
    idempotent: true,
  },
  listStoredSuggestions: {
    method: 'get',
    path: '/api/v1/suggestions/stored',
    authenticated: true,
    query: ListStoredSuggestionsQuerySchema,
    response: ListStoredSuggestionsResponseSchema,
  },
  summarizeSuggestions: {
    method: 'get',
    path: '/api/v1/suggestions/summary',
    authenticated: true,
    query: NotificationSummaryQuerySchema,
    response: SuggestionSummarySchema,
  },
  listSenders: {
    method: 'get',
    path: '/api/v1/senders',
    authenticated: true,
    query: ListSendersQuerySchema,
    response: ListSendersResponseSchema,
  },
  listSenderEmails: {
    method: 'get',
    path: '/api/v1/senders/{id}/emails',
    authenticated: true,
    params: SenderParamsSchema,
    query: PaginationQuerySchema,
    response: ListSenderEmailsResponseSchema,
  },
  summarizeNotifications: {
    method: 'get',
    path: '/api/v1/notifications/summary',
    authenticated: true,
    query: NotificationSummaryQuerySchema,
    response: NotificationSummarySchema,
  },
  listActionHistory: {
    method: 'get',
    path: '/api/v1/notifications/history',
    authenticated: true,
    query: ListActionHistoryQuerySchema,
    response: ListActionHistoryResponseSchema,
  },
  listActionBatches: {
    method: 'get',
    path: '/api/v1/notifications/history/batches',
    authenticated: true,
    query: ListActionHistoryQuerySchema,
    response: ListActionBatchesResponseSchema,
  },
  undoActionBatch: {
    method: 'post',
    path: '/api/v1/notifications/history/batches/{id}/undo',
    authenticated: true,
    params: ActionBatchParamsSchema,
    response: ActionBatchSchema,
    accepts: true,
    idempotent: true,
  },
  undoActions: {
    method: 'post',
    path: '/api/v1/notifications/history/undo',
    authenticated: true,
    body: UndoRequestSchema,
    response: UndoResponseSchema,
    idempotent: true,
  },
  undoAction: {
    method: 'post',
    path: '/api/v1/notifications/history/{id}/undo',
    authenticated: true,
    params: UndoParamsSchema,
    response: UndoResponseSchema,
    idempotent: true,
  },
  listNotificationEvents: {
    method: 'get',
    path: '/api/v1/notifications/events',
    authenticated: true,
    query: ListNotificationEventsQuerySchema,
    response: ListNotificationEventsResponseSchema,
  },
  getMe: {
    method: 'get',
    path: '/api/v1/me',
    authenticated: true,
    response: MeSchema,
  },
  exportMe: {
    method: 'get',
    path: '/api/v1/me/export',
    authenticated: true,
    response: PersonalDataExportSchema,
  },
  eraseMe: {
    method: 'delete',
    path: '/api/v1/me',
    authenticated: true,
    body: EraseMeRequestSchema,
    response: NoContentSchema,
  },
  listSessions: {
    method: 'get',
    path: '/api/v1/me/sessions',
    authenticated: true,
    query: PaginationQuerySchema,
    response: ListSessionsResponseSchema,
  },
  revokeSession: {
    method: 'delete',
    path: '/api/v1/me/sessions/{id}',
    authenticated: true,
    params: SessionParamsSchema,
    response: NoContentSchema,
  },
  listAuditEntries: {
    method: 'get',
    path: '/api/v1/me/audit',
    authenticated: true,
    query: PaginationQuerySchema,
    response: ListAuditEntriesResponseSchema,
  },
  checkHealth: {
    method: 'get',
    path: '/api/v1/health',
    authenticated: false,
    response: HealthSchema,
  },
  checkDatabaseHealth: {
    method: 'get',
    path: '/api/v1/health/db',
    authenticated: false,
    response: DatabaseHealthSchema,
  },
});
