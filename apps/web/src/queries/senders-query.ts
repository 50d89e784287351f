import type { ApiClient } from '@mailsweep/client';
import type { ListSendersResponse, SenderSort } from '@mailsweep/contracts';
import { type InfiniteData, queryOptions } from '@tanstack/react-query';
import { pagedQuery } from './paged-list.ts';
import { SENDER_LISTS_KEY, SENDERS_KEY } from './query-keys.ts';

/** The API reads this from its database, which costs no quota of the provider, so it may be requested often. */
const STALE_MS = 15_000;

/** A search of the senders waits for a pause in the typing. Unit: milliseconds. */
export const SEARCH_PAUSE_MS = 200;

/** The pages of senders as the query cache keeps them. */
export type SenderList = InfiniteData<ListSendersResponse>;

/** The senders, page by page; with a search, those whose name and address have its words. */
export const sendersQuery = (client: ApiClient, sort: SenderSort, search?: string) =>
  pagedQuery(
    [...SENDER_LISTS_KEY, sort, search] as const,
    (page, signal) =>
      client.listSenders({ query: { sort, ...page, ...(search !== undefined && { search }) }, signal }),
    { staleTime: STALE_MS },
  );

/** One sender, with how many of its emails each action takes. */
export const senderQuery = (client: ApiClient, sender: { senderId: string } | { emailId: string }) =>
  queryOptions({
    queryKey: [...SENDERS_KEY, 'one', 'senderId' in sender ? sender.senderId : sender.emailId] as const,
    queryFn: ({ signal }) =>
      'senderId' in sender
        ? client.getSender({ params: { id: sender.senderId }, signal })
        : client.getSenderOfEmail({ params: { id: sender.emailId }, signal }),
  });
