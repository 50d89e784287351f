import type { ApiClient } from '@mailsweep/client';
import { MAX_PER_PAGE } from '@mailsweep/contracts';
import { queryOptions } from '@tanstack/react-query';
import { ACTIVITY_KEY, MAILBOX_KEY, SENDERS_KEY, SUGGESTION_GROUPS_KEY } from '../queries/query-keys.ts';

/** The API reads suggestions from its database, which costs no quota of the provider. Unit: milliseconds. */
const STALE_MS = 5_000;

/** The open suggestions of the whole mailbox by classification, and what all of them add up to. */
export const clearableQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: [...SUGGESTION_GROUPS_KEY, 'of-home'],
    queryFn: ({ signal }) =>
      client.listSuggestionGroups({ query: { by: 'classification', perPage: MAX_PER_PAGE }, signal }),
    staleTime: STALE_MS,
  });

/** Senders that are named as those who still fill the inbox. */
const SENDERS_SHOWN = 3;

/** How much email there is, by the provider's own counts; kept, as what cleaning came to is seen against it. */
export const mailboxQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: MAILBOX_KEY,
    queryFn: ({ signal }) => client.getMailboxOverview({ query: { detailed: true }, signal }),
    staleTime: STALE_MS,
    gcTime: Number.POSITIVE_INFINITY,
  });

/** What the user has done, and what came of it, over all time. */
export const cleanedQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: [...ACTIVITY_KEY, 'cleaned'],
    queryFn: async ({ signal }) => (await client.getActivity({ signal })).cleaned,
    staleTime: STALE_MS,
  });

/** Those of the largest senders whose emails fill the inbox most, the protected ones left out. */
export const largestSendersQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: [...SENDERS_KEY, 'largest'],
    queryFn: async ({ signal }) => {
      const { data } = await client.listSenders({ query: { sort: 'mails', perPage: MAX_PER_PAGE }, signal });
      return data
        .filter((sender) => sender.inInbox > 0 && !sender.protected)
        .toSorted((one, other) => other.inInbox - one.inInbox)
        .slice(0, SENDERS_SHOWN);
    },
    staleTime: STALE_MS,
  });
