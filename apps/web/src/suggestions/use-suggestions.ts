import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../api/api-context.tsx';
import { toDistinctEmails } from '../email/dated-pages.ts';
import { suggestionsQuery } from '../queries/suggestions-query.ts';
import { atLeastSure, toSuggestedEmails } from './suggested-email.ts';
import { type SuggestionFilters, toGrouping } from './suggestion-filters.ts';
import { toSuggestionGroups } from './suggestion-groups.ts';

/** The suggestions, grouped as requested, and the state of their loading. */
export const useSuggestions = (filters: SuggestionFilters) => {
  const { client } = useApi();
  const query = useInfiniteQuery(suggestionsQuery(client));
  const pages = useMemo(() => query.data?.pages ?? [], [query.data]);
  const suggested = useMemo(() => toSuggestedEmails(pages), [pages]);
  const grouping = toGrouping(filters);
  const groups = useMemo(
    () => toSuggestionGroups(atLeastSure(suggested, filters.sure ?? 0), grouping),
    [suggested, filters.sure, grouping],
  );
  const lookedAt = useMemo(() => toDistinctEmails(pages), [pages]);
  return {
    groups,
    suggestedCount: suggested.length,
    /** Every email that was looked at, with a suggestion or without. */
    lookedAt,
    lookedAtCount: lookedAt.length,
    /** False while the classification service returns nothing. */
    isClassified: pages.some((page) => page.classified),
    /** Whether the newest page came without a classification. */
    isLastPageUnclassified: pages.at(-1)?.classified === false,
    isPending: query.isPending,
    isRefreshing: query.isRefetching && !query.isFetchingNextPage,
    error: query.error,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => {
      if (query.hasNextPage && !query.isFetching) void query.fetchNextPage();
    },
    refresh: () => void query.refetch(),
  };
};

export type Suggestions = ReturnType<typeof useSuggestions>;
