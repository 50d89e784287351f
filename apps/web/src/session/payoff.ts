import type { MailboxOverview, Me } from '@mailsweep/contracts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { MAILBOX_KEY } from '../api/query-keys.ts';
import { storeText } from './store-text.ts';

/** What cleaning achieved in this tab. */
export interface Payoff {
  /** Size of the inbox before the first cleanup; undefined if nobody had counted. */
  before: number | undefined;
  /** What the last cleanup left out, and why; may be empty. */
  leftOut: string;
}

const toStorageKey = (queryClient: QueryClient): string =>
  `mailsweep.inbox-before.${queryClient.getQueryData<Me>(['me'])?.userId}`;

/** Null before the first cleanup. */
export const payoffQuery = queryOptions({
  queryKey: ['payoff'] as const,
  queryFn: ({ client }): Payoff | null => {
    const before = Number(sessionStorage.getItem(toStorageKey(client)));
    return Number.isSafeInteger(before) && before > 0 ? { before, leftOut: '' } : null;
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

export const notePayoff = (queryClient: QueryClient, leftOut = ''): void => {
  const mailbox = queryClient.getQueryData<MailboxOverview>(MAILBOX_KEY);
  const before = queryClient.getQueryData(payoffQuery.queryKey)?.before ?? mailbox?.inbox.total;
  const payoff: Payoff = { before, leftOut };
  queryClient.setQueryData(payoffQuery.queryKey, payoff);
  if (before !== undefined) storeText(sessionStorage, toStorageKey(queryClient), String(before));
};
