import type { ApiClient } from '@mailsweep/client';
import { MAX_PER_PAGE, type PersonalToken } from '@mailsweep/contracts';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.tsx';
import { unlessGone } from '../../api/errors.ts';
import { useRefreshAudited } from '../account/account-security.tsx';

export const tokensQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: ['tokens'],
    queryFn: ({ signal }) => client.listTokens({ query: { perPage: MAX_PER_PAGE }, signal }),
  });

export const useTokenChanges = () => {
  const { client } = useApi();
  const refreshAudited = useRefreshAudited();
  const onSuccess = () => refreshAudited(tokensQuery(client).queryKey);
  const create = useMutation({
    mutationFn: (body: Parameters<typeof client.createToken>[0]['body']) => client.createToken({ body }),
    // Keeps the secret no longer than the dialog.
    gcTime: 0,
    onSuccess: () => void onSuccess(),
  });
  const rename = useMutation({
    mutationFn: ({ id, name }: Pick<PersonalToken, 'id' | 'name'>) =>
      client.renameToken({ params: { id }, body: { name } }),
    onSuccess,
  });
  const revoke = useMutation({
    mutationFn: ({ id }: Pick<PersonalToken, 'id'>) => unlessGone(client.revokeToken({ params: { id } })),
    onSuccess,
  });
  return { create, rename, revoke };
};
