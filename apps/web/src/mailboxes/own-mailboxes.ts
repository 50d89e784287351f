import { t } from '@lingui/core/macro';
import type { ApiClient } from '@mailsweep/client';
import type { OwnMailbox } from '@mailsweep/contracts';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { toAddress } from '../address/shown-mailbox.ts';
import { useApi } from '../api/api-context.tsx';
import { showToast, toFailure } from '../feedback/toasts.tsx';
import { rememberPlace } from '../session/remembered-place.ts';
import { noteLeaving } from '../session/return-from-sign-in.ts';
import { useMe } from '../session/use-mailbox.ts';

/** Mailboxes rarely change. Unit: milliseconds. */
const STALE_MS = 60_000;

/** The mailboxes of the owner who is signed in, in their order. */
export const ownMailboxesQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: ['own-mailboxes'],
    queryFn: async ({ signal }) => (await client.listMailboxes({ signal })).data,
    staleTime: STALE_MS,
    // Most of what asks can do without.
    retryOnMount: false,
  });

/** Empty until they are known. */
export const useOwnMailboxes = (): readonly OwnMailbox[] =>
  useQuery(ownMailboxesQuery(useApi().client)).data ?? [];

export const toMailboxName = ({ name, email }: Pick<OwnMailbox, 'name' | 'email'>): string => name ?? email;

/** Stores that this user has several mailboxes, so that the home screen leaves room for them at once. */
export const toSeveralKey = (userId: string): string => `mailsweep.several.${userId}`;

/** Whether there are several mailboxes, as far as is known; requests nothing. */
export const useHasSeveral = (): boolean => {
  const { data } = useQuery({ ...ownMailboxesQuery(useApi().client), enabled: false });
  const { userId = '' } = useMe().data ?? {};
  return data ? data.length > 1 : localStorage.getItem(toSeveralKey(userId)) !== null;
};

/** Leaves to add a mailbox: for its provider, or for the choice of one. */
export const useAddMailbox = () => {
  const { client, origin } = useApi();
  return useMutation({
    mutationFn: () => client.listProviders({}),
    onSuccess: ({ data: [first, ...others] }) => {
      rememberPlace(toAddress('/settings?continue=mailboxes'));
      noteLeaving('adding');
      const isOnly = first?.signIn === 'redirect' && others.length === 0;
      const provider = encodeURIComponent(first?.key ?? '');
      window.location.assign(
        isOnly ? `${origin}/auth/idp?add=true&provider=${provider}` : '/sign-in?add=true',
      );
    },
    onError: (error) => showToast(toFailure(error, (title) => t`No mailbox was added: ${{ why: title }}`)),
  });
};
