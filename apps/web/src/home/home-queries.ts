import type { ApiClient } from '@mailsweep/client';
import { MAX_PER_PAGE } from '@mailsweep/contracts';
import { queryOptions } from '@tanstack/react-query';
import { ACTIVITY_KEY, MAILBOX_KEY, SENDERS_KEY, SUGGESTION_GROUPS_KEY } from '../api/query-keys.ts';

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
