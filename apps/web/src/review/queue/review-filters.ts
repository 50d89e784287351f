import type { ApiClient } from '@mailsweep/client';
import { ACCEPTANCE_BANDS, EMAIL_ID } from '@mailsweep/contracts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { readChoice, readMatch, type Search } from '../../address/read-search.ts';
import { type PrefetchContext, useApi } from '../../api/api-context.tsx';
import { type SuggestionView, suggestionGroupsQuery } from '../../api/suggestions-query.ts';

/** From the surest on. */
const SHOWN = ['sure', 'likely', 'everything'] as const;
export type Shown = (typeof SHOWN)[number];

/** As in the address. */
export interface ReviewFilters {
  /** Default: by sender. */
  by?: 'reason';
  /** Default: the surest that there are. */
  show?: Shown;
}

/** With the default resolved. */
export type ShownFilters = ReviewFilters & { show: Shown };

/** The filters, and the open email. */
export const readReviewSearch = (search: Search): ReviewFilters & { email?: string } => ({
  by: readChoice(search.by, ['reason']),
  show: readChoice(search.show, SHOWN),
  email: readMatch(search.email, EMAIL_ID),
});

const LEAST_ACCEPTANCE: Record<Shown, number> = { ...ACCEPTANCE_BANDS, everything: 0 };

export const toView = (filters: ReviewFilters): SuggestionView => ({
  by: filters.by === 'reason' ? 'classification' : 'sender',
  minAcceptance: LEAST_ACCEPTANCE[filters.show ?? 'sure'],
});

/** The surest suggestions that there are, as far as responses tell. */
const findFirstShown = (
  queryClient: QueryClient,
  client: ApiClient,
  filters: ReviewFilters,
): Shown | undefined => {
  const { queryKey } = suggestionGroupsQuery(client, toView(filters));
  const confidence = queryClient.getQueryData(queryKey)?.pages.at(-1)?.confidence;
  if (!confidence) return undefined;
  if (confidence.sure > 0) return 'sure';
  if (confidence.likely > 0) return 'likely';
  return confidence.check > 0 ? 'everything' : undefined;
};

export const prefetchFirstGroups = async (
  { api: { client }, queryClient }: PrefetchContext,
  filters: ReviewFilters,
): Promise<void> => {
  const first = queryClient.prefetchInfiniteQuery(suggestionGroupsQuery(client, toView(filters)));
  // The browser preloaded these, and would answer a later request with an outdated response.
  if (filters.show === undefined)
    void queryClient.prefetchInfiniteQuery(
      suggestionGroupsQuery(client, toView({ ...filters, show: 'likely' })),
    );
  await first;
  const show = filters.show ?? findFirstShown(queryClient, client, filters);
  if (show)
    await queryClient.prefetchInfiniteQuery(suggestionGroupsQuery(client, toView({ ...filters, show })));
};

/** The view of the address, or else the surest suggestions that there were; a default stays after decisions. */
export const useShown = (filters: ReviewFilters): Shown => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const [first, setFirst] = useState<Shown>();
  const found = first ?? findFirstShown(queryClient, client, filters);
  if (found !== first) setFirst(found);
  return filters.show ?? found ?? 'sure';
};
