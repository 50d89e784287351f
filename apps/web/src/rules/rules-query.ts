import type { ApiClient } from '@mailsweep/client';
import { MAX_PER_PAGE, type Rule } from '@mailsweep/contracts';
import { queryOptions } from '@tanstack/react-query';
import { beginGesture } from '../api/gesture.ts';
import { RULES_KEY } from '../queries/query-keys.ts';

/** How often a rule is looked at while it runs or is undone, in milliseconds. */
export const FOLLOW_INTERVAL_MS = 2_000;
const IN_FLIGHT = ['queued', 'running', 'waiting'];

/** The user's rules, newest first: a page holds as many as a user may have. */
export const rulesQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: RULES_KEY,
    queryFn: async ({ signal }) =>
      (await client.listRules({ query: { page: 1, perPage: MAX_PER_PAGE }, signal })).data,
    refetchInterval: ({ state }) =>
      state.data?.some(({ lastRun, undoing }) => undoing > 0 || IN_FLIGHT.includes(lastRun?.state ?? ''))
        ? FOLLOW_INTERVAL_MS
        : false,
  });

/** What a rule would do now; planned again each time that the user looks. */
export const rulePreviewQuery = (client: ApiClient, { id, updatedAt }: Rule) =>
  queryOptions({
    queryKey: ['rule-preview', id, updatedAt] as const,
    queryFn: ({ signal }) =>
      client.previewRule({ params: { id }, idempotencyKey: beginGesture().keyOf(0), signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** The kinds of email that suggestions have, those of most emails first. */
export const ruleKindsQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: ['rule-kinds'] as const,
    queryFn: async ({ signal }) => {
      const query = { page: 1, perPage: MAX_PER_PAGE, by: 'classification' } as const;
      const groups = await client.listSuggestionGroups({ query, signal });
      return groups.data.map(({ key }) => key);
    },
  });
