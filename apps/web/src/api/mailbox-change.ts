import type { QueryClient } from '@tanstack/react-query';
import { ACTIVITY_KEY, MAILBOX_CHANGE_KEY, MAILBOX_KEY, RULES_KEY, refresh } from './query-keys.ts';

/**
 * Changes the mailbox, visibly to others. Afterwards refreshes the numbers, and the rules, which an undo can pause;
 * lists refresh by themselves.
 */
export const changeMailbox = <T>(queryClient: QueryClient, change: () => Promise<T>): Promise<T> =>
  queryClient
    .getMutationCache()
    .build(queryClient, {
      mutationKey: MAILBOX_CHANGE_KEY,
      mutationFn: change,
      // A failed change may have changed some emails.
      onSettled: () => void refresh(queryClient, MAILBOX_KEY, RULES_KEY, ACTIVITY_KEY),
    })
    .execute(undefined);

/** Calls back once no mailbox change is in flight. */
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
