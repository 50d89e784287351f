import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useApi } from '../api/api-context.tsx';
import type { SignInReason } from './session-watch.ts';

/** Goes to the sign-in, which tells why, and forgets everything that was loaded. */
export const useLeave = (): ((reason: SignInReason) => Promise<void>) => {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { memory } = useApi();
  return useCallback(
    async (reason) => {
      await navigate({ to: '/sign-in', search: { reason } });
      queryClient.clear();
      memory.clear();
    },
    [queryClient, navigate, memory],
  );
};
