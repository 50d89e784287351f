import type { ApiClient } from '@mailsweep/client';
import type { ListSuggestionsResponse, SuggestionGroup, SuggestionGrouping } from '@mailsweep/contracts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { pagedQuery } from './paged-list.ts';
import {
  NEWEST_EMAILS_KEY,
  PRECISION_KEY,
  refresh,
  SUGGESTED_EMAILS_KEY,
  SUGGESTION_GROUPS_KEY,
  SUGGESTIONS_KEY,
} from './query-keys.ts';

/** Reads from our database cost no provider quota. Unit: milliseconds. */
const STALE_MS = 15_000;
/** Each takes 20 of Gmail's quota units, and the survey of a first visit needs most of the 6,000 of its minute. */
const NEWEST_EMAILS = 30;
/** Classifying the newest emails counts in the activity. Unit: milliseconds. */
const NEWEST_STALE_MS = 5 * 60_000;
/** Retry interval for unclassified emails; retries count nowhere. Unit: milliseconds. */
const RETRY_MS = 10_000;

export interface SuggestionView {
  by: SuggestionGrouping;
  /** From 0 to 1. */
  minAcceptance: number;
}

/** 0 is no filter. */
const toFilter = ({ minAcceptance }: SuggestionView): { minAcceptance?: number } =>
  minAcceptance > 0 ? { minAcceptance } : {};

/** Groups of stored suggestions in the whole mailbox, largest first. */
export const suggestionGroupsQuery = (client: ApiClient, view: SuggestionView) =>
  pagedQuery(
    [...SUGGESTION_GROUPS_KEY, view.by, view.minAcceptance] as const,
    (page, signal) =>
      client.listSuggestionGroups({ query: { by: view.by, ...toFilter(view), ...page }, signal }),
    { staleTime: STALE_MS },
  );

/** Names one group for the API. */
export const toGroupFilter = ({
  by,
  key,
}: Pick<SuggestionGroup, 'by' | 'key'>): { sender: string } | { classification: string } =>
  by === 'sender' ? { sender: key } : { classification: key };

/** The emails of one group, newest first. */
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

/** How often the user agreed with suggestions, by what they were called. */
export const precisionQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: [...PRECISION_KEY, 'figures'],
    queryFn: ({ signal }) => client.getPrecision({ query: { by: 'week' }, signal }),
  });

/** Classifies the newest emails and stores their suggestions, so the groups may grow. */
export const newestEmailsQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: NEWEST_EMAILS_KEY,
    queryFn: async ({ signal, client: queryClient }) => {
      const response = await client.listSuggestions({ query: { pageSize: NEWEST_EMAILS }, signal });
      if (response.classified) void refresh(queryClient, SUGGESTIONS_KEY);
      return response;
    },
    staleTime: NEWEST_STALE_MS,
    gcTime: NEWEST_STALE_MS,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchInterval: ({ state }) => (state.data?.classified === false ? RETRY_MS : false),
  });

/** Drops emails that left the inbox. */
export const dropSuggestions = (queryClient: QueryClient, ids: ReadonlySet<string>): void => {
  queryClient.setQueryData<ListSuggestionsResponse>(
    NEWEST_EMAILS_KEY,
    (newest) => newest && { ...newest, emails: newest.emails.filter((email) => !ids.has(email.id)) },
  );
  void refresh(queryClient, SUGGESTIONS_KEY);
};
