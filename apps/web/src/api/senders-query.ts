import type { ApiClient } from '@mailsweep/client';
import type { ListSendersResponse, SenderGrouping, SenderSort } from '@mailsweep/contracts';
import { type InfiniteData, queryOptions } from '@tanstack/react-query';
import { pagedQuery } from './paged-list.ts';
import { SENDER_LISTS_KEY, SENDERS_KEY } from './query-keys.ts';

/** Reads from our database cost no provider quota. Unit: milliseconds. */
const STALE_MS = 15_000;

/** Wait for a pause in typing. Unit: milliseconds. */
export const SEARCH_PAUSE_MS = 200;

export type SenderList = InfiniteData<ListSendersResponse>;

/** Senders page by page; a search matches names and addresses. */
export const sendersQuery = (
  client: ApiClient,
  filters: { sort?: SenderSort; search?: string; by?: SenderGrouping; group?: string },
) => {
  const query = { ...filters, sort: filters.sort ?? 'mails' };
  return pagedQuery(
    [...SENDER_LISTS_KEY, query] as const,
    (page, signal) => client.listSenders({ query: { ...query, ...page }, signal }),
    { staleTime: STALE_MS },
  );
};

/** One sender, with the emails that each action would affect. */
export const senderQuery = (client: ApiClient, sender: { senderId: string } | { emailId: string }) =>
  queryOptions({
    queryKey: [...SENDERS_KEY, 'one', 'senderId' in sender ? sender.senderId : sender.emailId] as const,
    queryFn: ({ signal }) =>
      'senderId' in sender
        ? client.getSender({ params: { id: sender.senderId }, signal })
        : client.getSenderOfEmail({ params: { id: sender.emailId }, signal }),
  });
