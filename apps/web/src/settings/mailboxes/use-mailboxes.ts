import type { UpdateOwnMailboxRequest } from '@mailsweep/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.tsx';
import { refresh } from '../../api/query-keys.ts';
import { ownMailboxesQuery } from '../../mailboxes/own-mailboxes.ts';
import { auditQuery } from '../account/account-security.tsx';

/** Refreshes the mailboxes and the audit trail. */
export const useRefreshMailboxes = () => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  return () => refresh(queryClient, ownMailboxesQuery(client).queryKey, auditQuery(client).queryKey);
};

export const useUpdateMailbox = () => {
  const { client } = useApi();
  return useMutation({
    mutationFn: ({ number, ...body }: UpdateOwnMailboxRequest & { number: number }) =>
      client.updateMailbox({ params: { number: String(number) }, body }),
    onSuccess: useRefreshMailboxes(),
  });
};
