import { MAX_PER_PAGE } from '@mailsweep/contracts';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ApiClient } from '../api/api-client.ts';
import { useApi } from '../api/api-context.tsx';
import { toHistoryBatches } from './history-batches.ts';
import type { HistoryFilters } from './history-filters.ts';

/** Data this young is not requested again. Unit: milliseconds. */
const STALE_MS = 5_000;

/** The part of the history that the filters let through, newest first. */
export const historyQuery = (client: ApiClient, filters: HistoryFilters) =>
  infiniteQueryOptions({
    queryKey: ['history', filters] as const,
    queryFn: ({ pageParam, signal }) =>
      client.listActionHistory({ query: { ...filters, page: pageParam, perPage: MAX_PER_PAGE }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, perPage, total }) => (page * perPage < total ? page + 1 : null),
    staleTime: STALE_MS,
  });

/** The history so far loaded, as the things the user did. */
export const useHistory = (filters: HistoryFilters) => {
  const { client } = useApi();
  const query = useInfiniteQuery(historyQuery(client, filters));
  const records = useMemo(() => query.data?.pages.flatMap((page) => page.data) ?? [], [query.data]);
  const batches = useMemo(() => toHistoryBatches(records), [records]);
  return {
    batches,
    total: query.data?.pages.at(-1)?.total,
    isPending: query.isPending,
    error: query.error,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => {
      if (query.hasNextPage && !query.isFetching) void query.fetchNextPage();
    },
    retry: () => void query.refetch(),
  };
};

export type History = ReturnType<typeof useHistory>;
