import type { ApiClient } from '@mailsweep/client';
import {
  ACTION_SOURCES,
  type ActionSource,
  MAX_SEARCH_LENGTH,
  RECORDED_ACTIONS,
  type RecordedAction,
} from '@mailsweep/contracts';
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { readChoice, readText, type Search } from '../../address/read-search.ts';
import { useApi } from '../../api/api-context.tsx';
import { pagedQuery, toDistinct, toLoading } from '../../api/paged-list.ts';
import { HISTORY_KEY } from '../../api/query-keys.ts';
import { isBeingUndone } from '../../undo/undo-requests.ts';

/** The part of the history to show, as in the address. */
export interface HistoryFilters {
  source?: ActionSource;
  action?: RecordedAction;
  search?: string;
}

export const readHistoryFilters = (search: Search): HistoryFilters => ({
  source: readChoice(search.source, ACTION_SOURCES),
  action: readChoice(search.action, RECORDED_ACTIONS),
  search: readText(search.search, MAX_SEARCH_LENGTH)?.trim() || undefined,
});

/** Data this young is not requested again. Unit: milliseconds. */
const STALE_MS = 5_000;
/** Poll interval while the server undoes a batch. Unit: milliseconds. */
const FOLLOW_INTERVAL_MS = 2_000;

export const historyQuery = (client: ApiClient, filters: HistoryFilters) =>
  infiniteQueryOptions({
    ...pagedQuery([...HISTORY_KEY, 'batches', filters], (page, signal) =>
      client.listActionBatches({ query: { ...filters, ...page }, signal }),
    ),
    // The list stays while the user types.
    placeholderData: filters.search === undefined ? undefined : keepPreviousData,
    staleTime: STALE_MS,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.data.some(isBeingUndone)) ? FOLLOW_INTERVAL_MS : false,
  });

/** The history as batches. */
export const useHistory = (filters: HistoryFilters) => {
  const query = useInfiniteQuery(historyQuery(useApi().client, filters));
  const batches = useMemo(() => toDistinct(query.data?.pages, ({ id }) => id), [query.data]);
  return { batches, ...toLoading(query) };
};

export type History = ReturnType<typeof useHistory>;
