import { queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '../api/api-client.ts';
import { pagedQuery } from '../queries/paged-list.ts';
import { PRECISION_KEY } from '../queries/query-keys.ts';

/** How often the user agreed with suggestions. */
export const precisionQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: [...PRECISION_KEY, 'figures'],
    queryFn: ({ signal }) => client.getPrecision({ query: { by: 'week' }, signal }),
  });

/** What is no longer suggested, newest first. */
export const stoppedQuery = (client: ApiClient) =>
  pagedQuery([...PRECISION_KEY, 'stopped'], (page, signal) =>
    client.listStoppedSuggestions({ query: page, signal }),
  );
