import { useQueryClient } from '@tanstack/react-query';
import { whenMailboxIsQuiet } from '../queries/mailbox-change.ts';
import { type InterruptedWork, rememberWork } from '../session/interrupted-work.ts';

/** Loads the page anew once what is in flight has ended. @param unfinished - what the new page offers to do */
export const useReload = (): ((unfinished?: InterruptedWork) => void) => {
  const queryClient = useQueryClient();
  return (unfinished) => {
    if (unfinished) rememberWork(queryClient, unfinished);
    whenMailboxIsQuiet(queryClient, () => window.location.reload());
  };
};
