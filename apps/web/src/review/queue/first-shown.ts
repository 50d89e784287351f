import type { ApiClient } from '@mailsweep/client';
import type { ListSuggestionGroupsResponse } from '@mailsweep/contracts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type PrefetchContext, useApi } from '../../api/api-context.tsx';
import { suggestionGroupsQuery } from '../../queries/suggestions-query.ts';
import { type ReviewFilters, type Shown, toView } from './review-filters.ts';

/** The surest suggestions that there are. */
const toFirstShown = (
  confidence: ListSuggestionGroupsResponse['confidence'] | undefined,
): Shown | undefined => {
  const { sure, likely, check } = confidence ?? { sure: 0, likely: 0, check: 0 };
  if (sure > 0) return 'sure';
  if (likely > 0) return 'likely';
  return check > 0 ? 'everything' : undefined;
};

/** What to show where the address does not say it, as far as the responses so far tell. */
const findFirstShown = (queryClient: QueryClient, client: ApiClient, filters: ReviewFilters) => {
  const { queryKey } = suggestionGroupsQuery(client, toView(filters));
  return toFirstShown(queryClient.getQueryData(queryKey)?.pages.at(-1)?.confidence);
};

/** Requests the groups that the screen shows first. */
export const prefetchFirstGroups = async (
  { api: { client }, queryClient }: PrefetchContext,
  filters: ReviewFilters,
): Promise<void> => {
  const first = queryClient.prefetchInfiniteQuery(suggestionGroupsQuery(client, toView(filters)));
  // The browser has requested these beforehand, and would give the response to a later request, when it is out of date.
  if (filters.show === undefined)
    void queryClient.prefetchInfiniteQuery(
      suggestionGroupsQuery(client, toView({ ...filters, show: 'likely' })),
    );
  await first;
  const show = filters.show ?? findFirstShown(queryClient, client, filters);
  if (show)
    await queryClient.prefetchInfiniteQuery(suggestionGroupsQuery(client, toView({ ...filters, show })));
};

/**
 * What the screen shows: what the address says, or else the surest suggestions that there are. The latter stays, whatever
 * is decided since.
 */
export const useShown = (filters: ReviewFilters): Shown => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const [first, setFirst] = useState<Shown>();
  const found = first ?? findFirstShown(queryClient, client, filters);
  if (found !== first) setFirst(found);
  return filters.show ?? found ?? 'sure';
};
