import { type ListSuggestionsResponse, MAX_PAGE_SIZE } from '@mailsweep/contracts';
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query';
import type { ApiClient } from '../api/api-client.ts';
import { SUGGESTIONS_KEY } from './query-keys.ts';

/** How often email that could not be classified is requested again, which is counted nowhere. Unit: milliseconds. */
const RETRY_MS = 10_000;

/** The pages of suggestions as the query cache keeps them. */
export type SuggestionList = InfiniteData<ListSuggestionsResponse>;

/**
 * Recent emails with what is suggested for them. Every call classifies again and is counted in the activity, so the
 * app asks again only when the user wants it.
 */
export const suggestionsQuery = (client: ApiClient) =>
  infiniteQueryOptions({
    queryKey: SUGGESTIONS_KEY,
    queryFn: ({ pageParam, signal }) =>
      client.listSuggestions({ query: { pageSize: MAX_PAGE_SIZE, pageToken: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextPageToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchInterval: ({ state }) => (state.data?.pages.at(-1)?.classified === false ? RETRY_MS : false),
  });
