import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { toDistinct, toLoading } from '../../queries/paged-list.ts';
import type { HistoryFilters } from '../filters/history-filters.ts';
import { historyQuery } from '../filters/history-query.ts';

/** The history so far loaded, as the things the user did. */
export const useHistory = (filters: HistoryFilters) => {
  const query = useInfiniteQuery(historyQuery(useApi().client, filters));
  const batches = useMemo(() => toDistinct(query.data?.pages, ({ id }) => id), [query.data]);
  return { batches, ...toLoading(query) };
};

export type History = ReturnType<typeof useHistory>;
