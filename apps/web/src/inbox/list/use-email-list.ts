import { type Email, hasWords } from '@mailsweep/contracts';
import { useInfiniteQuery, useIsMutating, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { toLoading } from '../../queries/paged-list.ts';
import { MAILBOX_CHANGE_KEY } from '../../queries/query-keys.ts';
import { toEmails, toTotal } from '../actions/email-lists.ts';
import { type InboxFilters, toFindWords, toServerFilters } from '../filters/inbox-filters.ts';
import { inboxQuery } from '../filters/inbox-query.ts';

/** All that a row says of an email. */
const toText = ({ from, subject, snippet }: Email): string => `${from} ${subject} ${snippet}`;

/** The emails that the filters let through, and the state of their loading. */
export const useEmailList = (filters: InboxFilters) => {
  const queryClient = useQueryClient();
  const options = inboxQuery(useApi().client, toServerFilters(filters));
  const query = useInfiniteQuery(options);
  const isChanging = useIsMutating({ mutationKey: MAILBOX_CHANGE_KEY }) > 0;
  const loaded = useMemo(() => toEmails(query.data), [query.data]);
  const emails = useMemo(() => {
    const words = toFindWords({ find: filters.find });
    return words.length === 0 ? loaded : loaded.filter((email) => hasWords(toText(email), words));
  }, [loaded, filters.find]);
  return {
    name: JSON.stringify(options.queryKey),
    emails,
    loadedCount: loaded.length,
    total: toTotal(query.data),
    ...toLoading(query),
    loadMore: () => {
      // A page that is fetched while emails leave would begin at a place, and count to a total, from before.
      if (!query.hasNextPage || query.isFetching || isChanging) return;
      const haveMoved = queryClient.getQueryState(options.queryKey)?.isInvalidated === true;
      void (haveMoved ? query.refetch() : query.fetchNextPage());
    },
  };
};

export type EmailListState = ReturnType<typeof useEmailList>;
