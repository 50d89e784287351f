import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { whenMailboxIsQuiet } from '../queries/mailbox-change.ts';
import { offerLater, type WorkToKeep } from '../session/kept-work.ts';

/** Reloads the page once what is in flight has ended. @param unfinished - what the new page offers to do */
export const useReload = (): ((unfinished?: WorkToKeep) => void) => {
  const queryClient = useQueryClient();
  return useCallback(
    (unfinished) => {
      if (unfinished) offerLater(queryClient, unfinished);
      whenMailboxIsQuiet(queryClient, () => window.location.reload());
    },
    [queryClient],
  );
};
