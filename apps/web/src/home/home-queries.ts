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

/** Batches of today that count: far more than a user makes. */
const BATCHES = 20;

/** Whose email went today, and how many: those with the most first. Without what was undone. */
export const goneQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: [...HISTORY_KEY, 'gone'],
    queryFn: async ({ signal }) => {
      const query = { undoable: true, page: 1, perPage: BATCHES };
      const { data } = await client.listActionBatches({ query, signal });
      const gone = new Map<string, number>();
      for (const { action, startedAt, undone, senders } of data) {
        if (!['accept', 'archive', 'delete'].includes(action) || undone > 0 || !isToday(new Date(startedAt)))
          continue;
        for (const { from, emails } of senders.top) gone.set(from, (gone.get(from) ?? 0) + emails);
      }
      return [...gone].map(([from, emails]) => ({ from, emails })).toSorted((a, b) => b.emails - a.emails);
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
