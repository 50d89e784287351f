import type { Page } from '@mailsweep/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { HISTORY_KEY } from '../filters/history-query.ts';

/** Entries shown at first, and with each further click. */
export const ENTRIES_PER_PAGE = 50;

/** A list of the history, page by page. @param key - of the cache, after that of the history */
export const usePages = <Entry>(
  key: readonly unknown[],
  read: (page: { page: number; perPage: number }, signal: AbortSignal) => Promise<Page<Entry>>,
) => {
  const query = useInfiniteQuery({
    queryKey: [...HISTORY_KEY, ...key],
    queryFn: ({ pageParam, signal }) => read({ page: pageParam, perPage: ENTRIES_PER_PAGE }, signal),
    initialPageParam: 1,
    getNextPageParam: ({ page, perPage, total }) => (page * perPage < total ? page + 1 : null),
  });
  const entries = useMemo(() => query.data?.pages.flatMap((page) => page.data) ?? [], [query.data]);
  return {
    entries,
    hidden: (query.data?.pages.at(-1)?.total ?? 0) - entries.length,
    isPending: query.isPending,
    error: query.error,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  };
};
