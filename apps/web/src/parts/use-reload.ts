import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { whenMailboxIsQuiet } from '../queries/mailbox-change.ts';
import { type InterruptedWork, rememberWork } from '../session/interrupted-work.ts';

/** Reloads the page once what is in flight has ended. @param unfinished - what the new page offers to do */
export const useReload = (): ((unfinished?: InterruptedWork) => void) => {
  const queryClient = useQueryClient();
  return useCallback(
    (unfinished) => {
      if (unfinished) rememberWork(queryClient, unfinished);
      whenMailboxIsQuiet(queryClient, () => window.location.reload());
    },
    [queryClient],
  );
};
