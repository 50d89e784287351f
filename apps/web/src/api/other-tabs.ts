import type { Me } from '@mailsweep/contracts';
import { hashKey, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import {
  EMAIL_LISTS_KEY,
  LIST_KEYS,
  MAILBOX_CHANGE_KEY,
  MAILBOX_KEY,
  MAX_PAGES_TO_REFRESH,
  RULES_KEY,
  refresh,
} from './query-keys.ts';

const CHANNEL = 'mailsweep.mailbox';

/** Drops later pages of long lists. */
const shorten = (queryClient: QueryClient): void => {
  queryClient.setQueriesData<InfiniteData<unknown>>({ queryKey: EMAIL_LISTS_KEY }, (list) =>
    list && list.pages.length > MAX_PAGES_TO_REFRESH
      ? { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) }
      : list,
  );
};

/**
 * Tells other tabs of the mailbox about its changes, and refreshes when they report one.
 *
 * @returns a function that disconnects
 */
export const connectTabs = (queryClient: QueryClient): (() => void) => {
  const channel = new BroadcastChannel(`${CHANNEL}.${queryClient.getQueryData<Me>(['me'])?.userId}`);
  channel.addEventListener('message', () => {
    shorten(queryClient);
    const keys = [...LIST_KEYS, MAILBOX_KEY, RULES_KEY];
    for (const queryKey of keys) queryClient.removeQueries({ queryKey, type: 'inactive' });
    void refresh(queryClient, ...keys);
  });
  const stop = queryClient.getMutationCache().subscribe((event) => {
    if (event.type !== 'updated' || !['success', 'error'].includes(event.action.type)) return;
    const { mutationKey } = event.mutation.options;
    // A failed change may have changed some emails.
    if (mutationKey && hashKey(mutationKey) === hashKey(MAILBOX_CHANGE_KEY)) channel.postMessage(null);
  });
  return () => {
    stop();
    channel.close();
  };
};
