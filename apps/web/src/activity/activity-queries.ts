import { type ActionBatch, DOMAIN_EVENTS, MAX_PER_PAGE } from '@mailsweep/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '../api/api-client.ts';
import type { ActivityFilters, ActivityPeriod } from './activity-filters.ts';

/** Events per request. */
const EVENTS_PER_PAGE = 50;
/** Pages of decisions that the chart over time looks through at most; beyond them it says that it is cut short. */
const MAX_DECISION_PAGES = 10;
/** Days that the chart over time covers, today included. */
export const CHART_DAYS = 14;

const EVENT_TYPES = {
  generated: DOMAIN_EVENTS.SUGGESTIONS_GENERATED,
  confirmed: DOMAIN_EVENTS.SUGGESTION_CONFIRMED,
} as const;

/** The counts of a period. */
export const summaryQuery = (client: ApiClient, period: ActivityPeriod) =>
  queryOptions({
    queryKey: ['activity', 'summary', period],
    queryFn: ({ signal }) =>
      client.summarizeSuggestions({ query: { period: period === 'all' ? undefined : period }, signal }),
  });

/** The timeline, newest first. */
export const eventsQuery = (client: ApiClient, kind: ActivityFilters['events']) =>
  infiniteQueryOptions({
    queryKey: ['activity', 'events', kind ?? 'any'],
    queryFn: ({ pageParam, signal }) =>
      client.listNotificationEvents({
        query: { page: pageParam, perPage: EVENTS_PER_PAGE, type: kind && EVENT_TYPES[kind] },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ page, perPage, total }) => (page * perPage < total ? page + 1 : null),
  });

/** The batches of decisions since a moment, from as many pages as needed. */
const fetchDecisionsSince = async (
  client: ApiClient,
  since: Date,
  signal: AbortSignal,
): Promise<ActionBatch[]> => {
  const decisions: ActionBatch[] = [];
  for (let page = 1; page <= MAX_DECISION_PAGES; page += 1) {
    const query = { page, perPage: MAX_PER_PAGE, source: 'suggestions' as const };
    const { data } = await client.listActionBatches({ query, signal });
    const recent = data.filter((batch) => Date.parse(batch.startedAt) >= since.getTime());
    decisions.push(...recent);
    if (recent.length < MAX_PER_PAGE) break;
  }
  return decisions;
};

/** The decisions that the chart over time shows. */
export const decisionsQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: ['activity', 'decisions'],
    queryFn: ({ signal }) => {
      const today = new Date();
      const since = new Date(today.getFullYear(), today.getMonth(), today.getDate() - (CHART_DAYS - 1));
      return fetchDecisionsSince(client, since, signal);
    },
  });
