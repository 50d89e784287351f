import type { Email } from '@mailsweep/contracts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../api/api-context.tsx';
import { toEmails, toTotal } from './email-lists.ts';
import { type InboxFilters, toServerFilters } from './inbox-filters.ts';
import { inboxQuery } from './inbox-query.ts';

const matches = (email: Email, words: string[]): boolean => {
  const text = `${email.from} ${email.subject}`.toLowerCase();
  return words.every((word) => text.includes(word));
};

/** The emails that the filters let through, and the state of their loading. */
export const useEmailList = (filters: InboxFilters) => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const options = inboxQuery(client, toServerFilters(filters));
  const query = useInfiniteQuery(options);
  const loaded = useMemo(() => toEmails(query.data), [query.data]);
  const emails = useMemo(() => {
    const words = (filters.find ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    return words.length === 0 ? loaded : loaded.filter((email) => matches(email, words));
  }, [loaded, filters.find]);
  return {
    emails,
    loadedCount: loaded.length,
    total: toTotal(query.data),
    isPending: query.isPending,
    error: query.error,
    hasNextPage: query.hasNextPage,
    isFetchingNextPage: query.isFetchingNextPage,
    fetchNextPage: () => {
      if (!query.hasNextPage || query.isFetching) return;
      const haveMoved = queryClient.getQueryState(options.queryKey)?.isInvalidated === true;
      void (haveMoved ? query.refetch() : query.fetchNextPage());
    },
    retry: () => void query.refetch(),
  };
};

export type EmailListState = ReturnType<typeof useEmailList>;
