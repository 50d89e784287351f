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
    summary: 'How far a scan is, as server-sent events: `progress` at each change, and `end`',
    tag: 'Scans',
    authenticated: true,
    params: ScanParamsSchema,
  },
});

/** Every JSON route of the API, version 1. */
export const API_ROUTES = defineRoutes({
  listEmails: {
    ...LIST_EMAILS_CALL,
    summary: 'List the emails of the mailbox, newest first',
    tag: 'Mailbox',
    authenticated: true,
    query: ListEmailsQuerySchema,
  },
  lookUpEmails: {
    method: 'post',
    path: '/api/v1/emails/lookup',
    summary: 'Name emails by their ids',
    tag: 'Mailbox',
    authenticated: true,
    body: LookUpEmailsRequestSchema,
    response: LookUpEmailsResponseSchema,
  },
  readConversation: {
    method: 'get',
    path: '/api/v1/conversations/{threadId}',
    summary: 'The emails of a conversation that are in the inbox',
    tag: 'Mailbox',
    authenticated: true,
    params: ConversationParamsSchema,
    response: ConversationSchema,
  },
  executeInboxAction: {
    method: 'post',
    path: '/api/v1/inbox/actions',
    summary: 'Archive, delete or mark emails unread',
    tag: 'Mailbox',
    authenticated: true,
    body: InboxActionRequestSchema,
    response: InboxActionResponseSchema,
    idempotent: true,
  },
  listSuggestions: {
    ...LIST_SUGGESTIONS_CALL,
    summary: 'Recent emails with suggested actions',
    tag: 'Suggestions',
    authenticated: true,
    query: ListSuggestionsQuerySchema,
  },
  confirmSuggestions: {
    method: 'post',
    path: '/api/v1/notifications/confirm',
    summary: 'Accept or reject the suggestions for emails',
    tag: 'Suggestions',
    authenticated: true,
    body: ConfirmRequestSchema,
    response: ConfirmResponseSchema,
    idempotent: true,
  },
  startScan: {
    method: 'post',
    path: '/api/v1/scans',
    summary: 'Scan the whole mailbox in the background; answers the scan that is under way, if there is one',
    tag: 'Scans',
    authenticated: true,
    body: StartScanRequestSchema,
    response: ScanSchema,
    accepts: true,
    idempotent: true,
  },
  listScans: {
    ...LIST_SCANS_CALL,
    summary: 'The scans of the mailbox, newest first',
    tag: 'Scans',
    authenticated: true,
    query: PaginationQuerySchema,
  },
  getScan: {
    method: 'get',
    path: '/api/v1/scans/{id}',
    summary: 'How far a scan is',
    tag: 'Scans',
    authenticated: true,
    params: ScanParamsSchema,
    response: ScanSchema,
  },
  cancelScan: {
    method: 'post',
    path: '/api/v1/scans/{id}/cancel',
    summary: 'End a scan; what it has found stays',
    tag: 'Scans',
    authenticated: true,
    params: ScanParamsSchema,
    response: ScanSchema,
    idempotent: true,
  },
  listStoredSuggestions: {
    method: 'get',
    path: '/api/v1/suggestions/stored',
    summary: 'Open suggestions found so far, in the whole mailbox after a scan; asks nobody anew',
    tag: 'Suggestions',
    authenticated: true,
    query: ListStoredSuggestionsQuerySchema,
    response: ListStoredSuggestionsResponseSchema,
  },
  listSenders: {
    ...LIST_SENDERS_CALL,
    summary: 'Who writes how much, by what has been seen of the mailbox',
    tag: 'Mailbox',
    authenticated: true,
    query: ListSendersQuerySchema,
  },
  listSenderEmails: {
    method: 'get',
    path: '/api/v1/senders/{id}/emails',
    summary: 'The emails of a sender that have been seen, newest first',
    tag: 'Mailbox',
    authenticated: true,
    params: SenderParamsSchema,
    query: PaginationQuerySchema,
    response: ListSenderEmailsResponseSchema,
  },
  summarizeNotifications: {
    ...SUMMARIZE_NOTIFICATIONS_CALL,
    summary: 'Count suggestions and confirmations over a window',
    tag: 'History and events',
    authenticated: true,
    query: NotificationSummaryQuerySchema,
  },
  listActionHistory: {
    ...LIST_ACTION_HISTORY_CALL,
    summary: 'The actions taken, newest first',
    tag: 'History and events',
    authenticated: true,
    query: ListActionHistoryQuerySchema,
  },
  undoActions: {
    method: 'post',
    path: '/api/v1/notifications/history/undo',
    summary: 'Undo several actions',
    tag: 'History and events',
    authenticated: true,
    body: UndoRequestSchema,
    response: UndoResponseSchema,
    idempotent: true,
  },
  undoAction: {
    method: 'post',
    path: '/api/v1/notifications/history/{id}/undo',
    summary: 'Undo one action',
    tag: 'History and events',
    authenticated: true,
    params: UndoParamsSchema,
    response: UndoResponseSchema,
    idempotent: true,
  },
  listNotificationEvents: {
    ...LIST_NOTIFICATION_EVENTS_CALL,
    summary: 'The stored domain events, newest first',
    tag: 'History and events',
    authenticated: true,
    query: ListNotificationEventsQuerySchema,
  },
  getMe: GET_ME_ROUTE,
  exportMe: {
    method: 'get',
    path: '/api/v1/me/export',
    summary: 'Download everything stored about the user; needs a recent sign-in',
    tag: 'Account',
    authenticated: true,
    response: PersonalDataExportSchema,
  },
  eraseMe: {
    method: 'delete',
    path: '/api/v1/me',
    summary:
      'Erase everything stored about the user and give the mailbox access back; needs a recent sign-in',
    tag: 'Account',
    authenticated: true,
    body: EraseMeRequestSchema,
    response: NoContentSchema,
  },
  listSessions: {
    ...LIST_SESSIONS_CALL,
    summary: 'The sessions in which the user is signed in: the current one, then the others by last use',
    tag: 'Account',
    authenticated: true,
    query: PaginationQuerySchema,
  },
  revokeSession: {
    method: 'delete',
    path: '/api/v1/me/sessions/{id}',
    summary: 'Sign out one session, wherever its token is used',
    tag: 'Account',
    authenticated: true,
    params: SessionParamsSchema,
    response: NoContentSchema,
  },
  listAuditEntries: {
    ...LIST_AUDIT_ENTRIES_CALL,
    summary: 'Sign-ins, sign-outs and exports of the account, newest first',
    tag: 'Account',
    authenticated: true,
    query: PaginationQuerySchema,
  },
  checkHealth: {
    method: 'get',
    path: '/api/v1/health',
    summary: 'The API process is alive',
    tag: 'Health',
    authenticated: false,
    response: HealthSchema,
  },
  checkDatabaseHealth: {
    method: 'get',
    path: '/api/v1/health/db',
    summary: 'The database is reachable',
    tag: 'Health',
    authenticated: false,
    response: DatabaseHealthSchema,
  },
});
