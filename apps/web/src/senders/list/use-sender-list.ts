import { MAX_CLEANUP_SENDERS, type Sender } from '@mailsweep/contracts';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { toDistinct, toLoading } from '../../api/paged-list.ts';
import { SEARCH_PAUSE_MS, sendersQuery } from '../../api/senders-query.ts';
import { isUnsubscribing } from '../../unsubscribe/use-unsubscribe.ts';
import type { SenderFilters } from './sender-filters.ts';

/** Poll interval while a scan fills the list. Unit: milliseconds. */
const FILLING_MS = 4_000;

/**
 * The senders, and their loading.
 *
 * @param isFilling - whether a scan is finding more
 */
export const useSenderList = (filters: SenderFilters, isFilling: boolean) => {
  const [search] = useDebouncedValue(filters.find?.trim() || undefined, SEARCH_PAUSE_MS);
  const query = useInfiniteQuery({
    ...sendersQuery(useApi().client, { by: filters.by, sort: filters.sort, search }),
    // Keeps the list while another order or search loads.
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      isFilling ||
      state.data?.pages.some(({ data }) => data.some(({ unsubscribe }) => isUnsubscribing(unsubscribe)))
        ? FILLING_MS
        : false,
  });
  const senders = useMemo(() => toDistinct(query.data?.pages, ({ id }) => id), [query.data]);
  /** Loads the rest, up to the limit of a cleanup. @returns all senders */
  const loadAll = async (): Promise<Sender[]> => {
    let { data, hasNextPage } = query;
    const read = () => toDistinct(data?.pages, ({ id }) => id);
    while (hasNextPage && read().length < MAX_CLEANUP_SENDERS)
      ({ data, hasNextPage } = await query.fetchNextPage({ throwOnError: true }));
    return read().slice(0, MAX_CLEANUP_SENDERS);
  };
  return {
    senders,
    loadAll,
    mostEmails: senders.reduce((most, sender) => Math.max(most, sender.mails), 1),
    isFinding: filters.find !== undefined || search !== undefined,
    ...toLoading(query),
  };
};

export type SenderListState = ReturnType<typeof useSenderList>;
