import {
  type KeptEmail,
  type ListSendersResponse,
  MAX_PER_PAGE,
  type SenderSort,
} from '@mailsweep/contracts';
import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '../api/api-client.ts';
import { SENDER_EMAILS_KEY, SENDER_LISTS_KEY } from './query-keys.ts';

/** The API reads this from its database, which costs no quota of the provider, so it may be requested often. */
const STALE_MS = 15_000;

/** The pages of senders as the query cache keeps them. */
export type SenderList = InfiniteData<ListSendersResponse>;

/** The senders, page by page. */
export const sendersQuery = (client: ApiClient, sort: SenderSort) =>
  infiniteQueryOptions({
    queryKey: [...SENDER_LISTS_KEY, sort] as const,
    queryFn: ({ pageParam, signal }) =>
      client.listSenders({ query: { sort, page: pageParam, perPage: MAX_PER_PAGE }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, perPage, total }) => (page * perPage < total ? page + 1 : null),
    staleTime: STALE_MS,
  });

/** Every email of a sender once, newest first: what is done to all of them is done to exactly these. */
export const senderEmailsQuery = (client: ApiClient, id: string) =>
  queryOptions({
    queryKey: [...SENDER_EMAILS_KEY, id] as const,
    queryFn: async ({ signal }) => {
      const emails = new Map<string, KeptEmail>();
      for (let page = 1, isLast = false; !isLast; page += 1) {
        const query = { page, perPage: MAX_PER_PAGE };
        const response = await client.listSenderEmails({ params: { id }, query, signal });
        // Email that arrives meanwhile pushes others to the next page.
        for (const email of response.data) emails.set(email.id, email);
        isLast = page * MAX_PER_PAGE >= response.total || response.data.length === 0;
      }
      return [...emails.values()];
    },
    staleTime: STALE_MS,
  });
