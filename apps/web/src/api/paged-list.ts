import { MAX_PER_PAGE } from '@mailsweep/contracts';
import { type InfiniteData, infiniteQueryOptions, type UseInfiniteQueryResult } from '@tanstack/react-query';

interface Place {
  page: number;
  perPage: number;
}

export const pagedQuery = <Page extends Place & { total: number }, Key extends readonly unknown[]>(
  queryKey: Key,
  read: (place: Place, signal: AbortSignal) => Promise<Page>,
  { perPage = MAX_PER_PAGE, ...options }: { perPage?: number; staleTime?: number } = {},
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => read({ page: pageParam, perPage }, signal),
    initialPageParam: 1,
    getNextPageParam: (last: Page) => (last.page * last.perPage < last.total ? last.page + 1 : null),
    ...options,
  });

export const readAllPages = async <Entry>(
  read: (place: Place) => Promise<{ data: Entry[]; total: number }>,
): Promise<Entry[]> => {
  const entries: Entry[] = [];
  for (let page = 1; ; page += 1) {
    const { data, total } = await read({ page, perPage: MAX_PER_PAGE });
    entries.push(...data);
    if (page * MAX_PER_PAGE >= total) return entries;
  }
};

/** All loaded entries, each once: an entry may move to a later page. */
export const toDistinct = <Entry>(
  pages: readonly { data: readonly Entry[] }[] = [],
  toKey: (entry: Entry) => string,
): Entry[] => [...new Map(pages.flatMap(({ data }) => data).map((entry) => [toKey(entry), entry])).values()];

/** The loading state of a paged list. */
export const toLoading = <Page>(query: UseInfiniteQueryResult<InfiniteData<Page>>) => {
  // Read while rendering: a query only rerenders for what was read, and without the end of a refetch a list scrolled
  // to its end would never load more.
  const { hasNextPage, isFetching } = query;
  return {
    /** The last page has the latest numbers. */
    newest: query.data?.pages.at(-1),
    isPending: query.isPending,
    error: query.error,
    hasMore: hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => {
      if (hasNextPage && !isFetching) void query.fetchNextPage();
    },
    retry: () => void query.refetch(),
  };
};
