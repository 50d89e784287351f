import type { MailboxOverview, Me } from '@mailsweep/contracts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { MAILBOX_KEY } from '../api/query-keys.ts';
import { storeText } from './store-text.ts';

/** What cleaning achieved today, on this device. */
export interface Payoff {
  /** Size of the inbox before the first cleanup of the day; undefined if nobody had counted. */
  before: number | undefined;
  /** What the last cleanup left out, and why; may be empty. */
  leftOut: string;
}

const toStorageKey = (queryClient: QueryClient): string =>
  `mailsweep.inbox-before.${queryClient.getQueryData<Me>(['me'])?.userId}`;

/** Where the user is. */
export const isToday = (time: Date): boolean => time.toDateString() === new Date().toDateString();

/** Null before the first cleanup. */
export const payoffQuery = queryOptions({
  queryKey: ['payoff'] as const,
  queryFn: ({ client }): Payoff | null => {
    const [size, time] = localStorage.getItem(toStorageKey(client))?.split(' ') ?? [];
    const before = Number(size);
    const isKept = Number.isSafeInteger(before) && before > 0 && isToday(new Date(Number(time)));
    return isKept ? { before, leftOut: '' } : null;
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

export const notePayoff = (queryClient: QueryClient, leftOut = ''): void => {
  const mailbox = queryClient.getQueryData<MailboxOverview>(MAILBOX_KEY);
  const before = queryClient.getQueryData(payoffQuery.queryKey)?.before ?? mailbox?.inbox.total;
  const payoff: Payoff = { before, leftOut };
  queryClient.setQueryData(payoffQuery.queryKey, payoff);
  if (before !== undefined) storeText(localStorage, toStorageKey(queryClient), `${before} ${Date.now()}`);
};
