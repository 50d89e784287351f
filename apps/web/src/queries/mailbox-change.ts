import type { QueryClient } from '@tanstack/react-query';
import { ACTIVITY_KEY, MAILBOX_CHANGE_KEY, MAILBOX_KEY, RULES_KEY } from './query-keys.ts';
import { refresh } from './refresh.ts';

/**
 * Runs work that changes the mailbox, so that others see that it is in flight, and when it ends. The numbers of the mailbox
 * and of what was cleaned are requested again then, and the rules, which an undo can pause; lists follow by themselves.
 */
export const changeMailbox = <T>(queryClient: QueryClient, change: () => Promise<T>): Promise<T> =>
  queryClient
    .getMutationCache()
    .build(queryClient, {
      mutationKey: MAILBOX_CHANGE_KEY,
      mutationFn: change,
      // Without a network it fails at once, with a message, and does not wait unnoticed.
      networkMode: 'always',
      // A failed change may have had its effect on part of the emails.
      onSettled: () => void refresh(queryClient, MAILBOX_KEY, RULES_KEY, ACTIVITY_KEY),
    })
    .execute(undefined);

/** Calls back when no change of the mailbox is in flight any more, at once if none is. */
export const whenMailboxIsQuiet = (queryClient: QueryClient, callBack: () => void): void => {
  const isQuiet = () => queryClient.isMutating({ mutationKey: MAILBOX_CHANGE_KEY }) === 0;
  if (isQuiet()) {
    callBack();
    return;
  }
  const stop = queryClient.getMutationCache().subscribe(() => {
    if (!isQuiet()) return;
    stop();
    callBack();
  });
};
