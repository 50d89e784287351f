import type { API_ROUTES, CallContract } from '@mailsweep/contracts';
import { FIRST_CALLS } from './first-calls.ts';

export type Routes = typeof API_ROUTES;
export type RouteName = keyof Routes;

/** Some routes' calls, by name. */
export type Calls = Partial<Record<RouteName, CallContract>>;

const loadMailboxCalls = async (): Promise<Calls> => (await import('./mailbox-calls.ts')).MAILBOX_CALLS;
const loadAccountCalls = async (): Promise<Calls> => (await import('./account-calls.ts')).ACCOUNT_CALLS;
const loadRecordCalls = async (): Promise<Calls> => (await import('./record-calls.ts')).RECORD_CALLS;

/** What a screen begins with comes with the screen. */
const SCREEN_CALLS: Partial<Record<RouteName, () => Promise<Calls>>> = {
  listSuggestions: loadMailboxCalls,
  listScans: loadMailboxCalls,
  listSenders: loadMailboxCalls,
  listActionHistory: loadRecordCalls,
  listNotificationEvents: loadRecordCalls,
  summarizeNotifications: loadRecordCalls,
  listSessions: loadAccountCalls,
  listAuditEntries: loadAccountCalls,
};

/**
 * How to call a route and read its answer. To make the parsers of all of them at once would hold up the first mails:
 * those that no screen begins with are loaded with the first call of any.
 */
export const loadCall = async (name: RouteName): Promise<CallContract> =>
  FIRST_CALLS[name] ??
  (await SCREEN_CALLS[name]?.())?.[name] ??
  (await import('./all-routes.ts')).API_ROUTES[name];

/** The name of every route that the client offers. */
export const ROUTE_NAMES = Object.keys({
  listEmails: true,
  lookUpEmails: true,
  readConversation: true,
  executeInboxAction: true,
  listSuggestions: true,
  confirmSuggestions: true,
  startScan: true,
  listScans: true,
  getScan: true,
  cancelScan: true,
  listStoredSuggestions: true,
  listSenders: true,
  listSenderEmails: true,
  summarizeNotifications: true,
  listActionHistory: true,
  undoActions: true,
  undoAction: true,
  listNotificationEvents: true,
  getMe: true,
  exportMe: true,
  eraseMe: true,
  listSessions: true,
  revokeSession: true,
  listAuditEntries: true,
  checkHealth: true,
  checkDatabaseHealth: true,
} satisfies Record<RouteName, true>) as RouteName[];
