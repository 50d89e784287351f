import type { MailboxOverview } from '@mailsweep/contracts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { MAILBOX_KEY } from './query-keys.ts';

/** What has come of cleaning since the app was opened. */
export interface Payoff {
  /** Emails that the inbox had before the first cleanup; undefined where nobody had counted. */
  before: number | undefined;
  /** What the last cleanup left out, and why; empty when nothing was. */
  leftOut: string;
}

/** Null before the first cleanup. */
export const payoffQuery = queryOptions({
  queryKey: ['payoff'] as const,
  queryFn: (): Payoff | null => null,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** Notes the size of the inbox before a cleanup. */
export const notePayoff = (queryClient: QueryClient, leftOut = ''): void => {
  const mailbox = queryClient.getQueryData<MailboxOverview>(MAILBOX_KEY);
  queryClient.setQueryData(payoffQuery.queryKey, (known) => ({
    before: known?.before ?? mailbox?.inbox.total,
    leftOut,
  }));
};
