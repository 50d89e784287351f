import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../../api/api-context.tsx';
import type { HistoryFilters } from '../filters/history-filters.ts';
import { historyQuery } from '../filters/history-query.ts';

/** The history so far loaded, as the things the user did. */
export const useHistory = (filters: HistoryFilters) => {
  const { client } = useApi();
  const query = useInfiniteQuery(historyQuery(client, filters));
  // What was done meanwhile moves a batch to the next page, where it is again.
  const batches = useMemo(
    () => [
      ...new Map(query.data?.pages.flatMap((page) => page.data).map((batch) => [batch.id, batch])).values(),
    ],
    [query.data],
  );
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
