import type { Sender } from '@mailsweep/contracts';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { sendersQuery } from '../../queries/senders-query.ts';
import { isUnsubscribing } from '../../unsubscribe/unsubscribe-query.ts';
import type { SenderFilters } from './sender-filters.ts';

/** How often the list is requested while a scan fills it. Unit: milliseconds. */
const FILLING_MS = 4_000;

const matches = (sender: Sender, words: readonly string[]): boolean => {
  const text = sender.from.toLowerCase();
  return words.every((word) => text.includes(word));
};

/**
 * The senders as requested, and the state of their loading.
 *
 * @param isFilling - whether a scan finds more of them while the user does not work on the list
 */
export const useSenderList = (filters: SenderFilters, isFilling: boolean) => {
  const { client } = useApi();
  const query = useInfiniteQuery({
    ...sendersQuery(client, filters.sort ?? 'mails'),
    // Another order keeps the list on the screen until it is there.
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      isFilling ||
      state.data?.pages.some(({ data }) => data.some(({ unsubscribe }) => isUnsubscribing(unsubscribe)))
        ? FILLING_MS
        : false,
  });
  const { hasNextPage, isFetching, error } = query;
  const loaded = useMemo(() => {
    const byId = new Map<string, Sender>();
    for (const page of query.data?.pages ?? []) {
      for (const sender of page.data) if (!byId.has(sender.id)) byId.set(sender.id, sender);
    }
    return [...byId.values()];
  }, [query.data]);
  const words = useMemo(
    () => (filters.find ?? '').toLowerCase().split(/\s+/).filter(Boolean),
    [filters.find],
  );
  const isFinding = words.length > 0;
  const senders = useMemo(
    () => (isFinding ? loaded.filter((sender) => matches(sender, words)) : loaded),
    [loaded, words, isFinding],
  );
  const fetchNextPage = () => {
    if (hasNextPage && !isFetching) void query.fetchNextPage();
  };
  // A search covers all senders, and the API has no search: load them all.
  useEffect(() => {
    if (isFinding && hasNextPage && !isFetching && !error) void query.fetchNextPage();
  });
  const newest = query.data?.pages.at(-1);
  return {
    senders,
    loadedCount: loaded.length,
    total: newest?.total,
    coverage: newest && { complete: newest.complete, scannedAt: newest.scannedAt },
    mostEmails: loaded.reduce((most, sender) => Math.max(most, sender.mails), 1),
    isFinding,
    isPending: query.isPending,
    error,
    hasNextPage,
    isFetchingNextPage: query.isFetchingNextPage,
    fetchNextPage,
    retry: () => void query.refetch(),
  };
};

export type SenderListState = ReturnType<typeof useSenderList>;
