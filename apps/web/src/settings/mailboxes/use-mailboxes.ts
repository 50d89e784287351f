import type { UpdateOwnMailboxRequest } from '@mailsweep/contracts';
import { useMutation } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.tsx';
import { ownMailboxesQuery } from '../../mailboxes/own-mailboxes.ts';
import { useRefreshAudited } from '../account/account-security.tsx';

/** Refreshes the mailboxes and the audit trail. */
export const useRefreshMailboxes = () => {
  const { client } = useApi();
  const refreshAudited = useRefreshAudited();
  return () => refreshAudited(ownMailboxesQuery(client).queryKey);
};

export const useUpdateMailbox = () => {
  const { client } = useApi();
  return useMutation({
    mutationFn: ({ number, ...body }: UpdateOwnMailboxRequest & { number: number }) =>
      client.updateMailbox({ params: { number: String(number) }, body }),
    onSuccess: useRefreshMailboxes(),
  });
};
