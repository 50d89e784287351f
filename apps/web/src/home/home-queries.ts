import type { ApiClient } from '@mailsweep/client';
import { MAX_PER_PAGE } from '@mailsweep/contracts';
import { queryOptions } from '@tanstack/react-query';
import {
  ACTIVITY_KEY,
  HISTORY_KEY,
  MAILBOX_KEY,
  SENDERS_KEY,
  SUGGESTION_GROUPS_KEY,
} from '../api/query-keys.ts';
import { isToday } from '../session/payoff.ts';

/** Reads from our database cost no provider quota. Unit: milliseconds. */
const STALE_MS = 5_000;

/** Open suggestions by classification, and their totals. */
export const clearableQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: [...SUGGESTION_GROUPS_KEY, 'of-home'],
    queryFn: ({ signal }) =>
      client.listSuggestionGroups({ query: { by: 'classification', perPage: MAX_PER_PAGE }, signal }),
    staleTime: STALE_MS,
  });

/** The provider's counts; kept, to compare with after cleaning. */
export const mailboxQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: MAILBOX_KEY,
    queryFn: ({ signal }) => client.getMailboxOverview({ query: { detailed: true }, signal }),
    staleTime: STALE_MS,
    gcTime: Number.POSITIVE_INFINITY,
  });

/** The newest batches that can be undone; more than a user makes in a day. */
const NEWEST_BATCHES = 20;

/** Whose email was cleaned today and how many, the most first; without batches that were undone, even in part. */
export const cleanedSendersQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: [...HISTORY_KEY, 'cleaned-senders'],
    queryFn: async ({ signal }) => {
      const query = { undoable: true, page: 1, perPage: NEWEST_BATCHES };
      const { data } = await client.listActionBatches({ query, signal });
      const cleaned = new Map<string, number>();
      for (const { action, startedAt, undone, senders } of data) {
        if (
          !['accept', 'archive', 'delete'].includes(action) ||
          undone > 0 ||
          !isToday(Date.parse(startedAt))
        )
          continue;
        for (const { from, emails } of senders.top) cleaned.set(from, (cleaned.get(from) ?? 0) + emails);
      }
      return [...cleaned].map(([from, emails]) => ({ from, emails })).toSorted((a, b) => b.emails - a.emails);
    },
    staleTime: STALE_MS,
  });

/** What the user did, over all time. */
export const cleanedQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: [...ACTIVITY_KEY, 'cleaned'],
    queryFn: async ({ signal }) => (await client.getActivity({ signal })).cleaned,
    staleTime: STALE_MS,
  });

/** The senders with most emails in the inbox, and whether all email was counted, not only what was read. */
export const largestSendersQuery = (
  client: ApiClient,
  queryKey: readonly unknown[] = [...SENDERS_KEY, 'largest'],
) =>
  queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const { data, complete } = await client.listSenders({
        query: { sort: 'inInbox', perPage: MAX_PER_PAGE },
        signal,
      });
      return {
        senders: data.filter((sender) => sender.inInbox > 0),
        isWhole: complete || data.some(({ read }) => read !== undefined),
      };
    },
    staleTime: STALE_MS,
  });
