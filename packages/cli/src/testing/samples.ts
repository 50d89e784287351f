import {
  type ActionBatch,
  API_ROUTES,
  type Cleanup,
  type CleanupPlan,
  type ListSuggestionGroupsResponse,
  type Me,
  type RouteContract,
  type Scan,
} from '@mailsweep/contracts';

/** A response that the documentation of the API shows. */
const exampleOf = <T>(id: keyof typeof API_ROUTES, name: string): T => {
  const { response, examples }: RouteContract = API_ROUTES[id];
  return response.parse(examples?.responses?.[name]) as T;
};

export const ME = exampleOf<Me>('getMe', 'Connected');
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
