import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { whenMailboxIsQuiet } from '../api/mailbox-change.ts';
import { offerLater, type WorkToKeep } from '../session/kept-work.ts';

/** Reloads the page once mailbox changes have ended. @param unfinished - work for the new page to offer */
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
