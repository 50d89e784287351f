import type { MailboxOverview, Me } from '@mailsweep/contracts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { MAILBOX_KEY } from '../api/query-keys.ts';
import { storeText } from './store-text.ts';

/** What cleaning achieved today, on this device. */
export interface Payoff {
  /** Size of the inbox before the first cleanup of the day; undefined if nobody had counted. */
  before: number | undefined;
  /** When the last cleanup was. */
  at: number;
  /** What the last cleanup left out, and why; may be empty. */
  leftOut: string;
}

const toStorageKey = (queryClient: QueryClient): string =>
  `mailsweep.inbox-before.${queryClient.getQueryData<Me>(['me'])?.userId}`;

/** In the time zone of the browser. @param at - milliseconds since 1970 */
export const isToday = (at: number): boolean => new Date(at).toDateString() === new Date().toDateString();

/** Null before the first cleanup. */
export const payoffQuery = queryOptions({
  queryKey: ['payoff'] as const,
  queryFn: ({ client }): Payoff | null => {
    const [before = 0, at = 0] = (localStorage.getItem(toStorageKey(client)) ?? '').split(' ').map(Number);
    return Number.isSafeInteger(before) && before > 0 && isToday(at) ? { before, at, leftOut: '' } : null;
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

export const notePayoff = (queryClient: QueryClient, leftOut = ''): void => {
  const mailbox = queryClient.getQueryData<MailboxOverview>(MAILBOX_KEY);
  const earlier = queryClient.getQueryData(payoffQuery.queryKey);
  const at = Date.now();
  const before = (earlier && isToday(earlier.at) ? earlier.before : undefined) ?? mailbox?.inbox.total;
  const payoff: Payoff = { before, at, leftOut };
  queryClient.setQueryData(payoffQuery.queryKey, payoff);
  if (before !== undefined) storeText(localStorage, toStorageKey(queryClient), `${before} ${at}`);
};
