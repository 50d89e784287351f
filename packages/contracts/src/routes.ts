import { z } from 'zod';
import { LIST_ACTION_HISTORY_CALL } from './action-history.ts';
import { LIST_AUDIT_ENTRIES_CALL } from './audit.ts';
import { ConversationParamsSchema, ConversationSchema } from './conversation.ts';
import { LIST_EMAILS_CALL } from './email.ts';
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
import { LIST_NOTIFICATION_EVENTS_CALL, SUMMARIZE_NOTIFICATIONS_CALL } from './notification.ts';
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
import {
  FOLLOW_SCAN_CALL,
  LIST_SCANS_CALL,
  ScanParamsSchema,
  ScanSchema,
  StartScanRequestSchema,
} from './scan.ts';
import {
  LIST_SENDERS_CALL,
  ListSenderEmailsResponseSchema,
  ListStoredSuggestionsResponseSchema,
  SenderParamsSchema,
} from './sender.ts';
import { GET_ME_ROUTE } from './session.ts';
import { LIST_SUGGESTIONS_CALL } from './suggestion.ts';
import { LIST_SESSIONS_CALL, SessionParamsSchema } from './user-session.ts';

/** Answer without a body: status 204. */
export const NoContentSchema = z.undefined();

const defineRoutes = <const T extends Record<string, RouteContract>>(routes: T) => routes;

/**
 * Every route that answers with a stream of server-sent events (`text/event-stream`); `response` is what the `data` of
 * each event holds. It answers 204 once there is nothing more to come, which keeps an EventSource from coming back.
 */
export const STREAM_ROUTES = defineRoutes({
  followScan: {
    ...FOLLOW_SCAN_CALL,
    authenticated: true,
    params: ScanParamsSchema,
  },
});

/** Every JSON route of the API, version 1. */
export const API_ROUTES = defineRoutes({
  listEmails: {
    ...LIST_EMAILS_CALL,
    authenticated: true,
    query: ListEmailsQuerySchema,
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
    ...LIST_SUGGESTIONS_CALL,
    authenticated: true,
    query: ListSuggestionsQuerySchema,
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
    ...LIST_SCANS_CALL,
    authenticated: true,
    query: PaginationQuerySchema,
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
  listStoredSuggestions: {
    method: 'get',
    path: '/api/v1/suggestions/stored',
    authenticated: true,
    query: ListStoredSuggestionsQuerySchema,
    response: ListStoredSuggestionsResponseSchema,
  },
  listSenders: {
    ...LIST_SENDERS_CALL,
    authenticated: true,
    query: ListSendersQuerySchema,
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
    ...SUMMARIZE_NOTIFICATIONS_CALL,
    authenticated: true,
    query: NotificationSummaryQuerySchema,
  },
  listActionHistory: {
    ...LIST_ACTION_HISTORY_CALL,
    authenticated: true,
    query: ListActionHistoryQuerySchema,
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
    ...LIST_NOTIFICATION_EVENTS_CALL,
    authenticated: true,
    query: ListNotificationEventsQuerySchema,
  },
  getMe: GET_ME_ROUTE,
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
    ...LIST_SESSIONS_CALL,
    authenticated: true,
    query: PaginationQuerySchema,
  },
  revokeSession: {
    method: 'delete',
    path: '/api/v1/me/sessions/{id}',
    authenticated: true,
    params: SessionParamsSchema,
    response: NoContentSchema,
  },
  listAuditEntries: {
    ...LIST_AUDIT_ENTRIES_CALL,
    authenticated: true,
    query: PaginationQuerySchema,
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
