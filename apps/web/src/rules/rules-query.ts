import { MAX_PER_PAGE } from '@mailsweep/contracts';
import { queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '../api/api-client.ts';

/** How often a rule whose run is in flight is looked at, in milliseconds. */
const FOLLOW_INTERVAL_MS = 2_000;
const IN_FLIGHT = ['queued', 'running', 'waiting'];

/** The user's rules, newest first: a page holds as many as a user may have. */
export const rulesQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: ['rules'] as const,
    queryFn: async ({ signal }) =>
      (await client.listRules({ query: { page: 1, perPage: MAX_PER_PAGE }, signal })).data,
    refetchInterval: ({ state }) =>
      state.data?.some(({ lastRun }) => IN_FLIGHT.includes(lastRun?.state ?? ''))
        ? FOLLOW_INTERVAL_MS
        : false,
  });

/** What a rule may be about: the senders with most email, and the kinds of email that suggestions have. */
export const ruleSubjectsQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: ['rule-subjects'] as const,
    queryFn: async ({ signal }) => {
      const page = { page: 1, perPage: MAX_PER_PAGE };
      const [senders, groups] = await Promise.all([
        client.listSenders({ query: { ...page, sort: 'mails' }, signal }),
        client.listSuggestionGroups({ query: { ...page, by: 'classification' }, signal }),
      ]);
      return { senders: senders.data, classifications: groups.data.map(({ key }) => key) };
    },
  });
