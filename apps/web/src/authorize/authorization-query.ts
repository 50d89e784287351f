import type { ApiClient } from '@mailsweep/client';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';

/** What a program asks for. It does not change. */
export const authorizationQuery = (client: ApiClient, id: string) =>
  queryOptions({
    queryKey: ['authorization', id],
    queryFn: ({ signal }) => client.getAuthorizationRequest({ params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** How a program is allowed to work. */
export interface Grant {
  expiresInDays: number;
  requiresConfirmation: boolean;
}

/** Allows what a program asks for, or refuses it where there is no grant. */
export const useDecide = (id: string, onDecided: () => void) => {
  const { client } = useApi();
  return useMutation({
    mutationFn: (grant: Grant | null) =>
      grant === null
        ? client.denyAuthorizationRequest({ params: { id } })
        : client.allowAuthorizationRequest({ params: { id }, body: grant }),
    // Without a network it fails at once: access must not be given later, when nobody is looking.
    networkMode: 'always',
    // The code is not kept.
    gcTime: 0,
    onSuccess: ({ redirectTo }) => {
      onDecided();
      // Back does not lead to a question that was answered.
      window.location.replace(redirectTo);
    },
  });
};
