import { type API_ROUTES, type CallContract, GET_ME_ROUTE, LIST_EMAILS_CALL } from '@mailsweep/contracts';

export type Routes = typeof API_ROUTES;
export type RouteName = keyof Routes;

/** What every visit begins with comes with the app; to make all parsers at once would hold up the first mails. */
const FIRST_ROUTES: Partial<Record<RouteName, CallContract>> = {
  getMe: GET_ME_ROUTE,
  listEmails: LIST_EMAILS_CALL,
};

/** The contract of a route, loaded with the first call of one that the first screen does not need. */
export const loadRouteContract = async (name: RouteName): Promise<CallContract> =>
  FIRST_ROUTES[name] ?? (await import('./all-routes.ts')).API_ROUTES[name];

/** The name of every route that the client offers. */
export const ROUTE_NAMES = Object.keys({
  listEmails: true,
  lookUpEmails: true,
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
  checkHealth: true,
  checkDatabaseHealth: true,
} satisfies Record<RouteName, true>) as RouteName[];
