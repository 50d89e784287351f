import type { ApiClient } from '@mailsweep/client';
import { MAX_PER_PAGE, type PersonalToken } from '@mailsweep/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.tsx';
import { isNotFound } from '../../api/error-kinds.ts';
import { refresh } from '../../queries/refresh.ts';
import { auditQuery } from '../account/account-queries.ts';

/** The personal access tokens of the user, the newest first. */
export const tokensQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: ['tokens'],
    queryFn: ({ signal }) => client.listTokens({ query: { perPage: MAX_PER_PAGE }, signal }),
  });

/** Requests the list again, and the audit trail, which each change of a token is in. */
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
    // The secret is not kept longer than the dialog shows it.
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
        // It was revoked in the meantime, which is what was wanted.
        if (!isNotFound(error)) throw error;
      }
    },
    onSuccess,
  });
};
