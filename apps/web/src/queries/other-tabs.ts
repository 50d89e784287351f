import { hashKey, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import { EMAIL_LISTS_KEY, LIST_KEYS, MAILBOX_CHANGE_KEY, MAILBOX_KEY, RULES_KEY } from './query-keys.ts';
import { MAX_PAGES_TO_REFRESH } from './refresh.ts';

const CHANNEL = 'mailsweep.mailbox';

/** Longer lists of emails start over. */
const shorten = (queryClient: QueryClient): void => {
  queryClient.setQueriesData<InfiniteData<unknown>>({ queryKey: EMAIL_LISTS_KEY }, (list) =>
    list && list.pages.length > MAX_PAGES_TO_REFRESH
      ? { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) }
      : list,
  );
};

/**
 * Tells the other tabs of this browser when the mailbox was changed here, and requests again what is shown here when
 * they say so.
 *
 * @returns the way to stop
 */
export const connectTabs = (queryClient: QueryClient): (() => void) => {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', () => {
    shorten(queryClient);
    for (const queryKey of [...LIST_KEYS, MAILBOX_KEY, RULES_KEY]) {
      queryClient.removeQueries({ queryKey, type: 'inactive' });
      void queryClient.invalidateQueries({ queryKey });
    }
  });
  const stop = queryClient.getMutationCache().subscribe((event) => {
    if (event.type !== 'updated' || !['success', 'error'].includes(event.action.type)) return;
    const { mutationKey } = event.mutation.options;
    // A failed change may have had its effect on part of the emails.
    if (mutationKey && hashKey(mutationKey) === hashKey(MAILBOX_CHANGE_KEY)) channel.postMessage(null);
  });
  return () => {
    stop();
    channel.close();
  };
};
