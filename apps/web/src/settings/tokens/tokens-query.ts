import type { ApiClient } from '@mailsweep/client';
import { MAX_PER_PAGE, type PersonalToken } from '@mailsweep/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.tsx';
import { isNotFound } from '../../api/errors.ts';
import { refresh } from '../../api/query-keys.ts';
import { auditQuery } from '../account/account-security.tsx';

export const tokensQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: ['tokens'],
    queryFn: ({ signal }) => client.listTokens({ query: { perPage: MAX_PER_PAGE }, signal }),
  });

/** Refreshes the tokens and the audit trail. */
const useRefreshTokens = () => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  return () => refresh(queryClient, tokensQuery(client).queryKey, auditQuery(client).queryKey);
};

export const useCreateToken = () => {
  const { client } = useApi();
  const onSuccess = useRefreshTokens();
  return useMutation({
    mutationFn: (body: Parameters<typeof client.createToken>[0]['body']) => client.createToken({ body }),
    // Keeps the secret no longer than the dialog.
    gcTime: 0,
    onSuccess: () => void onSuccess(),
  });
};

export const useRenameToken = () => {
  const { client } = useApi();
  const onSuccess = useRefreshTokens();
  return useMutation({
    mutationFn: ({ id, name }: Pick<PersonalToken, 'id' | 'name'>) =>
      client.renameToken({ params: { id }, body: { name } }),
    onSuccess,
  });
};

export const useRevokeToken = () => {
  const { client } = useApi();
  const onSuccess = useRefreshTokens();
  return useMutation({
    mutationFn: async ({ id }: Pick<PersonalToken, 'id'>) => {
      try {
        await client.revokeToken({ params: { id } });
      } catch (error) {
        // It has already been revoked.
        if (!isNotFound(error)) throw error;
      }
    },
    onSuccess,
  });
};
