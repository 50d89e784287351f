import { MAX_PER_PAGE } from '@mailsweep/contracts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { ApiClient } from '../api/api-client.ts';
import { PROTECTIONS_KEY } from '../queries/query-keys.ts';

/** The protected senders, newest first. */
export const protectionsQuery = (client: ApiClient) =>
  infiniteQueryOptions({
    queryKey: PROTECTIONS_KEY,
    queryFn: ({ pageParam, signal }) =>
      client.listProtections({ query: { page: pageParam, perPage: MAX_PER_PAGE }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, perPage, total }) => (page * perPage < total ? page + 1 : null),
  });
