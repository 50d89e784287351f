import type { ApiClient } from '@mailsweep/client';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { EMAIL_LISTS_KEY } from '../../queries/query-keys.ts';
import { MAX_PAGES_TO_REFRESH } from '../../queries/refresh.ts';
import { type ServerFilters, toListEmailsQuery } from './inbox-filters.ts';

/** A list this old is fetched again when the user comes back to it. Unit: milliseconds. */
const LIST_STALE_MS = 60_000;

/** The emails that pass the filters, page by page, newest first. */
export const inboxQuery = (client: ApiClient, filters: ServerFilters) =>
  infiniteQueryOptions({
    queryKey: [...EMAIL_LISTS_KEY, filters] as const,
    queryFn: ({ pageParam, signal }) =>
      client.listEmails({ query: toListEmailsQuery(filters, pageParam), signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextPageToken,
    staleTime: LIST_STALE_MS,
    refetchOnWindowFocus: (query) => (query.state.data?.pages.length ?? 0) <= MAX_PAGES_TO_REFRESH,
    refetchOnMount: (query) => (query.state.data?.pages.length ?? 0) <= MAX_PAGES_TO_REFRESH,
  });
