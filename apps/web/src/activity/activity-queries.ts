import type { ApiClient } from '@mailsweep/client';
import { type ActionBatch, MAX_PER_PAGE, type SummaryPeriod } from '@mailsweep/contracts';
import { queryOptions } from '@tanstack/react-query';
import { ACTIVITY_KEY } from '../queries/query-keys.ts';

/** Pages of decisions that the chart over time looks through at most; beyond them it says that it is cut short. */
const MAX_DECISION_PAGES = 10;
/** Days that the chart over time covers, today included. */
export const CHART_DAYS = 14;

/** What the user has done in a period; undefined for all time. */
export const activityQuery = (client: ApiClient, period: SummaryPeriod | undefined) =>
  queryOptions({
    queryKey: [...ACTIVITY_KEY, 'summary', period],
    queryFn: ({ signal }) => client.getActivity({ query: { period }, signal }),
  });

/** The batches of decisions since a moment, from as many pages as needed. */
const fetchDecisionsSince = async (
  client: ApiClient,
  since: Date,
  signal: AbortSignal,
): Promise<ActionBatch[]> => {
  const decisions: ActionBatch[] = [];
  for (let page = 1; page <= MAX_DECISION_PAGES; page += 1) {
    // Suggestions are accepted one by one or by a cleanup: any source.
    const { data } = await client.listActionBatches({ query: { page, perPage: MAX_PER_PAGE }, signal });
    const recent = data.filter((batch) => Date.parse(batch.startedAt) >= since.getTime());
    decisions.push(...recent);
    if (recent.length < MAX_PER_PAGE) break;
  }
  return decisions;
};

/** The decisions that the chart over time shows. */
export const decisionsQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: [...ACTIVITY_KEY, 'decisions'],
    queryFn: ({ signal }) => {
      const today = new Date();
      const since = new Date(today.getFullYear(), today.getMonth(), today.getDate() - (CHART_DAYS - 1));
      return fetchDecisionsSince(client, since, signal);
    },
  });
