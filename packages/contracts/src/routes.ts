import { z } from 'zod';
import {
  ActionBatchParamsSchema,
  ActionBatchSchema,
  ListActionBatchesResponseSchema,
} from './action-batch.ts';
import { ListActionHistoryResponseSchema } from './action-history.ts';
import { ActivitySchema } from './activity.ts';
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
import { MailboxOverviewSchema } from './mailbox-overview.ts';
import {
  ListNotificationEventsResponseSchema,
  NotificationSummarySchema,
  SuggestionSummarySchema,
} from './notification.ts';
import { EraseMeRequestSchema, PersonalDataExportSchema } from './personal-data.ts';
import { PrecisionQuerySchema, PrecisionSchema } from './precision.ts';
import { PreferencesSchema, UpdatePreferencesRequestSchema } from './preferences.ts';
import { ListProtectionsResponseSchema, ProtectionParamsSchema, ProtectionSchema } from './protection.ts';
import {
  ListPushSubscriptionsResponseSchema,
  PushKeySchema,
  PushSubscriptionParamsSchema,
  PushSubscriptionSchema,
  SubscribeToPushRequestSchema,
} from './push.ts';
import {
  ListActionHistoryQuerySchema,
  ListNotificationEventsQuerySchema,
  ListSendersQuerySchema,
  ListStoredSuggestionsQuerySchema,
  ListSuggestionGroupsQuerySchema,
  NotificationSummaryQuerySchema,
  PaginationQuerySchema,
} from './record-queries.ts';
import type { RouteContract } from './route-contract.ts';
import {
  CreateRuleRequestSchema,
  ListRulesResponseSchema,
  RuleParamsSchema,
  RuleSchema,
  UpdateRuleRequestSchema,
} from './rule.ts';
import { ListScansResponseSchema, ScanParamsSchema, ScanSchema, StartScanRequestSchema } from './scan.ts';
import {
  ListSenderEmailsResponseSchema,
  ListSendersResponseSchema,
  ListStoredSuggestionsResponseSchema,
  SenderParamsSchema,
} from './sender.ts';
import { MeSchema } from './session.ts';
import { ListStoppedSuggestionsResponseSchema, StoppedSuggestionParamsSchema } from './stopped-suggestion.ts';
import { ListSuggestionsResponseSchema } from './suggestion.ts';
import { ListSuggestionGroupsResponseSchema } from './suggestion-group.ts';
import { UnsubscribeSchema } from './unsubscribe.ts';
import { ListSessionsResponseSchema, SessionParamsSchema } from './user-session.ts';
import { WatchSchema } from './watch.ts';

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
  getMailboxOverview: {
    method: 'get',
    path: '/api/v1/mailbox',
    authenticated: true,
    response: MailboxOverviewSchema,
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
  listRules: {
    method: 'get',
    path: '/api/v1/rules',
    authenticated: true,
    query: PaginationQuerySchema,
    response: ListRulesResponseSchema,
  },
  createRule: {
    method: 'post',
    path: '/api/v1/rules',
    authenticated: true,
    body: CreateRuleRequestSchema,
    response: RuleSchema,
    idempotent: true,
  },
  getRule: {
    method: 'get',
    path: '/api/v1/rules/{id}',
    authenticated: true,
    params: RuleParamsSchema,
    response: RuleSchema,
  },
  updateRule: {
    method: 'patch',
    path: '/api/v1/rules/{id}',
    authenticated: true,
    params: RuleParamsSchema,
    body: UpdateRuleRequestSchema,
    response: RuleSchema,
  },
  deleteRule: {
    method: 'delete',
    path: '/api/v1/rules/{id}',
    authenticated: true,
    params: RuleParamsSchema,
    response: NoContentSchema,
  },
  previewRule: {
    method: 'post',
    path: '/api/v1/rules/{id}/preview',
    authenticated: true,
    params: RuleParamsSchema,
    response: CleanupPlanSchema,
    idempotent: true,
  },
  runRule: {
    method: 'post',
    path: '/api/v1/rules/{id}/run',
    authenticated: true,
    params: RuleParamsSchema,
    response: CleanupSchema,
    idempotent: true,
  },
  undoRule: {
    method: 'post',
    path: '/api/v1/rules/{id}/undo',
    authenticated: true,
    params: RuleParamsSchema,
    response: RuleSchema,
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
  listSuggestionGroups: {
    method: 'get',
    path: '/api/v1/suggestions/groups',
    authenticated: true,
    query: ListSuggestionGroupsQuerySchema,
    response: ListSuggestionGroupsResponseSchema,
  },
  listStoppedSuggestions: {
    method: 'get',
    path: '/api/v1/suggestions/stopped',
    authenticated: true,
    query: PaginationQuerySchema,
    response: ListStoppedSuggestionsResponseSchema,
  },
  allowSuggestion: {
    method: 'delete',
    path: '/api/v1/suggestions/stopped/{id}',
    authenticated: true,
    params: StoppedSuggestionParamsSchema,
    response: NoContentSchema,
  },
  getPrecision: {
    method: 'get',
    path: '/api/v1/precision',
    authenticated: true,
    query: PrecisionQuerySchema,
    response: PrecisionSchema,
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
  getUnsubscribe: {
    method: 'get',
    path: '/api/v1/senders/{id}/unsubscribe',
    authenticated: true,
    params: SenderParamsSchema,
    response: UnsubscribeSchema,
  },
  unsubscribe: {
    method: 'post',
    path: '/api/v1/senders/{id}/unsubscribe',
    authenticated: true,
    params: SenderParamsSchema,
    response: UnsubscribeSchema,
    accepts: true,
    idempotent: true,
  },
  listProtections: {
    method: 'get',
    path: '/api/v1/protections',
    authenticated: true,
    query: PaginationQuerySchema,
    response: ListProtectionsResponseSchema,
  },
  protectSender: {
    method: 'put',
    path: '/api/v1/protections/{id}',
    authenticated: true,
    params: ProtectionParamsSchema,
    response: ProtectionSchema,
  },
  unprotectSender: {
    method: 'delete',
    path: '/api/v1/protections/{id}',
    authenticated: true,
    params: ProtectionParamsSchema,
    response: NoContentSchema,
  },
  getActivity: {
    method: 'get',
    path: '/api/v1/activity',
    authenticated: true,
    query: NotificationSummaryQuerySchema,
    response: ActivitySchema,
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
  getPreferences: {
    method: 'get',
    path: '/api/v1/me/preferences',
    authenticated: true,
    response: PreferencesSchema,
  },
  updatePreferences: {
    method: 'patch',
    path: '/api/v1/me/preferences',
    authenticated: true,
    body: UpdatePreferencesRequestSchema,
    response: PreferencesSchema,
  },
  getWatch: {
    method: 'get',
    path: '/api/v1/watch',
    authenticated: true,
    response: WatchSchema,
  },
  getPushKey: {
    method: 'get',
    path: '/api/v1/push/key',
    authenticated: true,
    response: PushKeySchema,
  },
  listPushSubscriptions: {
    method: 'get',
    path: '/api/v1/push/subscriptions',
    authenticated: true,
    query: PaginationQuerySchema,
    response: ListPushSubscriptionsResponseSchema,
  },
  subscribeToPush: {
    method: 'post',
    path: '/api/v1/push/subscriptions',
    authenticated: true,
    body: SubscribeToPushRequestSchema,
    response: PushSubscriptionSchema,
  },
  unsubscribeFromPush: {
    method: 'delete',
    path: '/api/v1/push/subscriptions/{id}',
    authenticated: true,
    params: PushSubscriptionParamsSchema,
    response: NoContentSchema,
  },
  sendTestNotification: {
    method: 'post',
    path: '/api/v1/push/test',
    authenticated: true,
    response: NoContentSchema,
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
