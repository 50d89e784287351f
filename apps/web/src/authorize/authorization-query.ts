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

/** Allows or refuses what a program asks for; it is allowed for some days, or not at all. */
export const useDecide = (id: string, onDecided: () => void) => {
  const { client } = useApi();
  return useMutation({
    mutationFn: (expiresInDays: number | null) =>
      expiresInDays === null
        ? client.denyAuthorizationRequest({ params: { id } })
        : client.allowAuthorizationRequest({ params: { id }, body: { expiresInDays } }),
    // The code is not kept.
    gcTime: 0,
    onSuccess: ({ redirectTo }) => {
      onDecided();
      // Back does not lead to a question that was answered.
      window.location.replace(redirectTo);
    },
  });
};
