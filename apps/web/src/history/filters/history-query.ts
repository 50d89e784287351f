import type { ApiClient } from '@mailsweep/client';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { pagedQuery } from '../../queries/paged-list.ts';
import { HISTORY_KEY } from '../../queries/query-keys.ts';
import { isBeingUndone } from '../../undo/undo-batches.ts';
import type { HistoryFilters } from './history-filters.ts';

/** Data this young is not requested again. Unit: milliseconds. */
const STALE_MS = 5_000;
/** How often the list is read again while the server undoes one of its batches. Unit: milliseconds. */
const FOLLOW_INTERVAL_MS = 2_000;

/** The batches that the filters let through, newest first. */
export const historyQuery = (client: ApiClient, filters: HistoryFilters) =>
  infiniteQueryOptions({
    ...pagedQuery([...HISTORY_KEY, 'batches', filters], (page, signal) =>
      client.listActionBatches({ query: { ...filters, ...page }, signal }),
    ),
    // While a search is typed, the list stays.
    placeholderData: filters.search === undefined ? undefined : keepPreviousData,
    staleTime: STALE_MS,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.data.some(isBeingUndone)) ? FOLLOW_INTERVAL_MS : false,
  });
