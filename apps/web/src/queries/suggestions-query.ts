import type { ApiClient } from '@mailsweep/client';
import {
  type ListSuggestionsResponse,
  MAX_PAGE_SIZE,
  type SuggestionGroup,
  type SuggestionGrouping,
} from '@mailsweep/contracts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { pagedQuery } from './paged-list.ts';
import {
  NEWEST_EMAILS_KEY,
  SUGGESTED_EMAILS_KEY,
  SUGGESTION_GROUPS_KEY,
  SUGGESTIONS_KEY,
} from './query-keys.ts';

/** The API reads stored suggestions from its database, which costs no quota of the provider. Unit: milliseconds. */
const STALE_MS = 15_000;
/** Classifying the newest emails is counted in the activity: so often at most. Unit: milliseconds. */
const NEWEST_STALE_MS = 5 * 60_000;
/** How often emails that could not be classified are requested again, which is counted nowhere. Unit: milliseconds. */
const RETRY_MS = 10_000;

/** Which stored suggestions are listed, and how they are grouped. */
export interface SuggestionView {
  by: SuggestionGrouping;
  /** From 0 to 1. */
  minAcceptance: number;
}

/** 0 is no filter. */
const toFilter = ({ minAcceptance }: SuggestionView): { minAcceptance?: number } =>
  minAcceptance > 0 ? { minAcceptance } : {};

/** The stored suggestions of the whole mailbox in groups, largest first, page by page. */
export const suggestionGroupsQuery = (client: ApiClient, view: SuggestionView) =>
  pagedQuery(
    [...SUGGESTION_GROUPS_KEY, view.by, view.minAcceptance] as const,
    (page, signal) =>
      client.listSuggestionGroups({ query: { by: view.by, ...toFilter(view), ...page }, signal }),
    { staleTime: STALE_MS },
  );

/** What the API takes to name one group. */
export const toGroupFilter = ({
  by,
  key,
}: Pick<SuggestionGroup, 'by' | 'key'>): { sender: string } | { classification: string } =>
  by === 'sender' ? { sender: key } : { classification: key };

/** The emails of one group, newest first, page by page. */
export const suggestedEmailsQuery = (
  client: ApiClient,
  group: Pick<SuggestionGroup, 'by' | 'key'>,
  view: SuggestionView,
) =>
  pagedQuery(
    [...SUGGESTED_EMAILS_KEY, group.by, group.key, view.minAcceptance] as const,
    (page, signal) =>
      client.listStoredSuggestions({
        query: { ...toGroupFilter(group), ...toFilter(view), ...page },
        signal,
      }),
    { staleTime: STALE_MS },
  );

/** Has the newest emails classified, which stores what is suggested for them, so that the groups may have more. */
export const newestEmailsQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: NEWEST_EMAILS_KEY,
    queryFn: async ({ signal, client: queryClient }) => {
      const response = await client.listSuggestions({ query: { pageSize: MAX_PAGE_SIZE }, signal });
      if (response.classified) void queryClient.invalidateQueries({ queryKey: SUGGESTIONS_KEY });
      return response;
    },
    staleTime: NEWEST_STALE_MS,
    gcTime: NEWEST_STALE_MS,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchInterval: ({ state }) => (state.data?.classified === false ? RETRY_MS : false),
  });

/** Emails that left the inbox need no suggestion any more; the API knows what is left. */
export const dropSuggestions = (queryClient: QueryClient, ids: ReadonlySet<string>): void => {
  queryClient.setQueryData<ListSuggestionsResponse>(
    NEWEST_EMAILS_KEY,
    (newest) => newest && { ...newest, emails: newest.emails.filter((email) => !ids.has(email.id)) },
  );
  void queryClient.invalidateQueries({ queryKey: SUGGESTIONS_KEY });
};
