import { MAX_CLEANUP_SENDERS, type Sender } from '@mailsweep/contracts';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { toDistinct, toLoading } from '../../queries/paged-list.ts';
import { SEARCH_PAUSE_MS, sendersQuery } from '../../queries/senders-query.ts';
import { isUnsubscribing } from '../../unsubscribe/unsubscribe-query.ts';
import type { SenderFilters } from './sender-filters.ts';

/** How often the list is requested while a scan fills it. Unit: milliseconds. */
const FILLING_MS = 4_000;

/**
 * The senders as requested, and the state of their loading.
 *
 * @param isFilling - whether a scan finds more of them while the user does not work on the list
 */
export const useSenderList = (filters: SenderFilters, isFilling: boolean) => {
  const [search] = useDebouncedValue(filters.find?.trim() || undefined, SEARCH_PAUSE_MS);
  const query = useInfiniteQuery({
    ...sendersQuery(useApi().client, filters.sort ?? 'mails', search),
    // Another order or search keeps the list on the screen until it is there.
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      isFilling ||
      state.data?.pages.some(({ data }) => data.some(({ unsubscribe }) => isUnsubscribing(unsubscribe)))
        ? FILLING_MS
        : false,
  });
  const senders = useMemo(() => toDistinct(query.data?.pages, ({ id }) => id), [query.data]);
  /** Loads the rest of the list, as far as a cleanup reaches. @returns the senders of the whole list */
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
