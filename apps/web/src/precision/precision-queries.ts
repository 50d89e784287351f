import { MAX_PER_PAGE } from '@mailsweep/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '../api/api-client.ts';
import { PRECISION_KEY } from '../queries/query-keys.ts';

/** How often the user agreed with suggestions. */
export const precisionQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: [...PRECISION_KEY, 'figures'],
    queryFn: ({ signal }) => client.getPrecision({ query: { by: 'week' }, signal }),
  });

/** What is no longer suggested, newest first. */
export const stoppedQuery = (client: ApiClient) =>
  infiniteQueryOptions({
    queryKey: [...PRECISION_KEY, 'stopped'],
    queryFn: ({ pageParam, signal }) =>
      client.listStoppedSuggestions({ query: { page: pageParam, perPage: MAX_PER_PAGE }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, perPage, total }) => (page * perPage < total ? page + 1 : null),
  });
