import type { ResponseOf } from '@mailsweep/client';
import {
  type ActionBatch,
  type Activity,
  API_ROUTES,
  type Cleanup,
  type CleanupPlan,
  type ConfirmResponse,
  type ListOwnMailboxesResponse,
  type ListRulesResponse,
  type ListSuggestionGroupsResponse,
  type MailboxOverview,
  type Me,
  type Preferences,
  type RouteContract,
  type RuleFile,
  type Scan,
  type Unsubscribe,
  type Watch,
} from '@mailsweep/contracts';

/** A response that the documentation of the API shows. */
const exampleOf = <T>(id: keyof typeof API_ROUTES, name: string): T => {
  const { response, examples }: RouteContract = API_ROUTES[id];
  return response.parse(examples?.responses?.[name]) as T;
};

export const ME = exampleOf<Me>('getMe', 'Connected');
export const MAILBOXES = exampleOf<ListOwnMailboxesResponse>('listMailboxes', 'Two mailboxes');
export const PLAN = exampleOf<CleanupPlan>('createCleanup', 'The plan');
export const QUEUED = exampleOf<Cleanup>('runCleanup', 'Queued');
export const RUNNING = exampleOf<CleanupPlan>('getCleanup', 'Running');
export const COMPLETED = exampleOf<CleanupPlan>('getCleanup', 'Completed');
export const SCAN = {
  started: exampleOf<Scan>('startScan', 'Started'),
  inFlight: exampleOf<Scan>('startScan', 'In flight already'),
  completed: exampleOf<Scan>('getScan', 'Completed'),
};
export const GROUPS = exampleOf<ListSuggestionGroupsResponse>('listSuggestionGroups', 'By sender');
export const BATCH = exampleOf<{ data: ActionBatch[] }>('listActionBatches', 'One batch')
  .data[0] as ActionBatch;

export const MAILBOX = exampleOf<MailboxOverview>('getMailboxOverview', 'A mailbox');
export const ACTIVITY = exampleOf<Activity>('getActivity', 'The last seven days');
export const WATCH = {
  on: exampleOf<Watch>('getWatch', 'Two new suggestions'),
  off: exampleOf<Watch>('getWatch', 'The watch is off'),
};
export const PREFERENCES = exampleOf<Preferences>('updatePreferences', 'The watch is on');
export const RULES = exampleOf<ListRulesResponse>('listRules', 'One rule');
export const RULE = RULES.data[0] as ListRulesResponse['data'][number];
export const RULE_FILE = exampleOf<RuleFile>('exportRules', 'One of two rules');
export const UNSUBSCRIBE = {
  requested: exampleOf<Unsubscribe>('unsubscribe', 'About to be sent'),
  manual: exampleOf<Unsubscribe>('getUnsubscribe', 'Only the user can'),
};
export const STORED = exampleOf<ResponseOf<'listStoredSuggestions'>>('listStoredSuggestions', 'One email');
export const REJECTED = exampleOf<ConfirmResponse>('confirmSuggestions', 'All succeeded');
export const CLASSIFICATIONS = exampleOf<ListSuggestionGroupsResponse>(
  'listSuggestionGroups',
  'By classification',
);
