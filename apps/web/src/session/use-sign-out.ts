import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { signOut } from '../api/api-client.ts';
import { useApi } from '../api/api-context.tsx';
import { describeError } from '../api/describe-error.ts';
import { showToast } from '../feedback/toasts.tsx';

/** Ends the session and forgets everything that was loaded. */
export const useSignOut = (): (() => void) => {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { origin, memory } = useApi();
  return useCallback(() => {
    const leave = async () => {
      try {
        await signOut(origin);
      } catch (error) {
        const { title, advice } = describeError(error);
        showToast({
          title: `You are still signed in: ${title.toLowerCase()}`,
          detail: advice,
          tone: 'failed',
        });
        return;
      }
      await navigate({ to: '/sign-in', search: { reason: 'signed_out' } });
      queryClient.clear();
      memory.clear();
    };
    void leave();
  }, [queryClient, navigate, origin, memory]);
};
