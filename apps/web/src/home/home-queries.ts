import { MAX_PAGE_SIZE, MAX_PER_PAGE } from '@mailsweep/contracts';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '../api/api-client.ts';
import { MAILBOX_KEY, SUGGESTIONS_KEY } from '../queries/query-keys.ts';

const CLEARABLE_KEY = [...SUGGESTIONS_KEY, 'groups', 'of-home'] as const;
/** The API reads suggestions from its database, which costs no quota of the provider. Unit: milliseconds. */
const STALE_MS = 5_000;

/** The open suggestions of the whole mailbox by classification, and what all of them add up to. */
export const clearableQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: CLEARABLE_KEY,
    queryFn: ({ signal }) =>
      client.listSuggestionGroups({ query: { by: 'classification', perPage: MAX_PER_PAGE }, signal }),
    staleTime: STALE_MS,
  });

/** The newest email with a suggestion of this classification, as an example; it does not have to be the latest. */
export const exampleQuery = (client: ApiClient, classification: string) =>
  queryOptions({
    queryKey: [...SUGGESTIONS_KEY, 'example', classification],
    queryFn: async ({ signal }) => {
      const { data } = await client.listStoredSuggestions({ query: { classification, perPage: 1 }, signal });
      return data[0] ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** How much email there is, by Gmail's own counts, for six quota units. */
export const mailboxQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: MAILBOX_KEY,
    queryFn: ({ signal }) => client.getMailboxOverview({ signal }),
    staleTime: STALE_MS,
  });

/** What the user has done, and what came of it, over all time. */
export const cleanedQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: ['activity', 'cleaned'],
    queryFn: async ({ signal }) => (await client.getActivity({ signal })).cleaned,
    staleTime: STALE_MS,
  });

/** Has the newest emails classified, which stores what is suggested for them. It is counted in the activity. */
export const scanNewest = (client: ApiClient) =>
  mutationOptions({
    mutationKey: ['scan-newest'],
    mutationFn: () => client.listSuggestions({ query: { pageSize: MAX_PAGE_SIZE } }),
    onSettled: (_data, _error, _variables, _result, { client: queryClient }) =>
      queryClient.invalidateQueries({ queryKey: CLEARABLE_KEY }),
  });
