import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { toDistinct, toLoading } from '../../api/paged-list.ts';
import {
  newestEmailsQuery,
  type SuggestionView,
  suggestionGroupsQuery,
} from '../../api/suggestions-query.ts';
import { useDecisions } from '../../suggestions/confirming/decisions.ts';
import { keepOrder, toQueueGroup, withDecisions } from './queue-group.ts';

/**
 * The groups of stored suggestions. The newest emails are classified beside them.
 *
 * @param isHeld - keeps the order although other groups have grown
 */
export const useQueue = (view: SuggestionView, isHeld: boolean) => {
  const { client } = useApi();
  const decisions = useDecisions();
  const query = useInfiniteQuery({
    ...suggestionGroupsQuery(client, view),
    placeholderData: keepPreviousData,
  });
  // The larger response: it would delay the first screen.
  const newest = useQuery({ ...newestEmailsQuery(client), enabled: !query.isPending });
  const { by, minAcceptance } = view;
  const listed = useMemo(
    () => toDistinct(query.isPlaceholderData ? [] : query.data?.pages, ({ key }) => key),
    [query.data, query.isPlaceholderData],
  );
  const order = useRef<readonly string[]>([]);
  const { groups, decidedCount } = useMemo(() => {
    const left = withDecisions(listed, { by, minAcceptance }, decisions);
    const emailsOf = (list: readonly { emails: number }[]) =>
      list.reduce((sum, { emails }) => sum + emails, 0);
    return {
      groups: (isHeld ? keepOrder(left, order.current) : left).map(toQueueGroup),
      decidedCount: emailsOf(listed) - emailsOf(left),
    };
  }, [listed, by, minAcceptance, decisions, isHeld]);
  useEffect(() => {
    const keys = groups.map(({ key }) => key);
    // A group that is gone keeps its place, in case of an undo.
    order.current = isHeld ? [...new Set([...order.current, ...keys])] : keys;
  }, [groups, isHeld]);

  const { newest: totals, error, hasMore, loadMore } = toLoading(query);
  return {
    groups,
    error,
    hasMore,
    loadMore,
    /** Emails of all groups, loaded or not. */
    emails: query.isPlaceholderData ? 0 : Math.max(0, (totals?.emails ?? 0) - decidedCount),
    confidence: totals?.confidence,
    actions: totals?.actions ?? {},
    coverage: totals && { complete: totals.complete, scannedAt: totals.scannedAt },
    isPending: query.isPending || query.isPlaceholderData,
    refresh: () => {
      void query.refetch();
      void newest.refetch();
    },
    newest: {
      emails: newest.data?.emails ?? [],
      isPending: newest.isPending,
      isRefreshing: newest.isFetching,
      error: newest.error,
      isUnclassified: newest.data?.classified === false,
      refresh: () => void newest.refetch(),
    },
  };
};

export type Queue = ReturnType<typeof useQueue>;
