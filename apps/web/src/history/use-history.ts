import { MAX_PAGE_SIZE, MAX_PER_PAGE } from '@mailsweep/contracts';
import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ApiClient } from '../api/api-client.ts';
import { useApi } from '../api/api-context.tsx';
import { matchesFilters, toHistoryBatches } from './history-batches.ts';
import type { HistoryFilters } from './history-filters.ts';

const historyQuery = (client: ApiClient) =>
  infiniteQueryOptions({
    queryKey: ['history'],
    queryFn: ({ pageParam, signal }) =>
      client.listActionHistory({ query: { page: pageParam, perPage: MAX_PER_PAGE }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, perPage, total }) => (page * perPage < total ? page + 1 : null),
  });

/** The history so far loaded, as the things the person did. */
export const useHistory = (filters: HistoryFilters) => {
  const { client, memory } = useApi();
  const query = useInfiniteQuery(historyQuery(client));
  const records = useMemo(() => query.data?.pages.flatMap((page) => page.data) ?? [], [query.data]);
  const batches = useMemo(
    () => toHistoryBatches(records.filter((record) => matchesFilters(record, filters))),
    [records, filters],
  );
  const hasUnnamed = records.some((record) => memory.find(record.emailId) === undefined);
  // The history knows mails by id alone. Looking at the latest mail once names most of what was done lately.
  const names = useQuery({
    queryKey: ['history-names'],
    queryFn: async ({ signal }) => {
      await client.listEmails({ query: { scope: 'all', pageSize: MAX_PAGE_SIZE }, signal });
      return Date.now();
    },
    enabled: hasUnnamed,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return {
    batches,
    /** Changes when more mails have a name. */
    namesVersion: names.data ?? 0,
    total: query.data?.pages.at(-1)?.total,
    loadedCount: records.length,
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
