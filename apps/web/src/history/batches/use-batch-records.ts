import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { HISTORY_KEY } from '../filters/history-query.ts';

/** Records shown at first, and with each further click. */
export const RECORDS_PER_PAGE = 50;

/** The records of a batch, newest first, page by page. */
export const useBatchRecords = (batchId: string) => {
  const { client } = useApi();
  const query = useInfiniteQuery({
    queryKey: [...HISTORY_KEY, 'records', batchId] as const,
    queryFn: ({ pageParam, signal }) =>
      client.listActionHistory({
        query: { batch: batchId, page: pageParam, perPage: RECORDS_PER_PAGE },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ page, perPage, total }) => (page * perPage < total ? page + 1 : null),
  });
  const records = useMemo(() => query.data?.pages.flatMap((page) => page.data) ?? [], [query.data]);
  return {
    records,
    hidden: (query.data?.pages.at(-1)?.total ?? 0) - records.length,
    isPending: query.isPending,
    error: query.error,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  };
};
