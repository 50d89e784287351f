import type { Page } from '@mailsweep/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { pagedQuery, toLoading } from '../../queries/paged-list.ts';
import { HISTORY_KEY } from '../filters/history-query.ts';

/** Entries shown at first, and with each further click. */
export const ENTRIES_PER_PAGE = 50;

/** A list of the history, page by page. @param key - of the cache, after that of the history */
export const usePages = <Entry>(
  key: readonly unknown[],
  read: (page: { page: number; perPage: number }, signal: AbortSignal) => Promise<Page<Entry>>,
) => {
  const query = useInfiniteQuery(pagedQuery([...HISTORY_KEY, ...key], read, { perPage: ENTRIES_PER_PAGE }));
  const entries = useMemo(() => query.data?.pages.flatMap((page) => page.data) ?? [], [query.data]);
  const loading = toLoading(query);
  return { entries, hidden: (loading.newest?.total ?? 0) - entries.length, ...loading };
};
