import { t } from '@lingui/core/macro';
import type { ApiClient } from '@mailsweep/client';
import type { MailboxCapabilities } from '@mailsweep/contracts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { shownMailbox, toAddress } from '../address/shown-mailbox.ts';
import { useApi } from '../api/api-context.tsx';
import { rememberPlace } from './remembered-place.ts';
import { noteLeaving } from './return-from-sign-in.ts';

/** Rarely changes. Unit: milliseconds. */
const ME_STALE_MS = 5 * 60_000;

/** The user, and whether the mailbox is connected. */
export const meQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: ['me'],
    queryFn: ({ signal }) => client.getMe({ signal }),
    staleTime: ME_STALE_MS,
  });

export const useMe = () => useQuery(meQuery(useApi().client));

/** The mail provider's name; general words if an older API does not tell. */
export const useProviderName = (): string => useMe().data?.provider?.name ?? t`Your mail provider`;

/** What the mailbox can do; undefined while unknown, or with an older API. */
export const useMailbox = (): MailboxCapabilities | undefined => useMe().data?.mailbox;

/** How long email stays in the trash, as a sentence. */
export const useTrashNote = (): string => {
  const { name, trashDays: days } = useMailbox() ?? { name: t`Your mail provider`, trashDays: null };
  return days === null
    ? t`${name} decides how long it keeps email in Trash.`
    : t`${name} keeps email in Trash for ${days} days.`;
};

/** Links to emails in the mail provider's web app; undefined if it has none. */
export const useEmailLink = (): { name: string; toUrl: (emailId: string) => string } | undefined => {
  const { email, mailbox } = useMe().data ?? {};
  const template = mailbox?.emailUrl;
  if (template == null || mailbox === undefined) return;
  const address = email ?? '';
  return {
    name: mailbox.name,
    toUrl: (emailId) =>
      template.replaceAll(/\{(emailId|address)\}/g, (_placeholder, name: string) =>
        encodeURIComponent(name === 'emailId' ? emailId : address),
      ),
  };
};

/** Renews the connection of a mailbox, by default that of the sign-in; refuses another account. */
const RENEWAL_PATH = '/auth/idp?renew=true';

/**
 * Leaves for the provider's sign-in.
 *
 * @param place - where to return; by default where the user is or was
 * @param options.allowsChanges - asks the provider for changing the mailbox, too
 * @param options.mailbox - to renew, by default the shown one; null for a recent sign-in, which is of the session
 */
export const useSignIn = (
  place?: string,
  options: { allowsChanges?: boolean; mailbox?: number | null } = {},
): (() => void) => {
  const { origin } = useApi();
  return () => {
    const { allowsChanges = false, mailbox = shownMailbox() ?? null } = options;
    const { pathname, search } = window.location;
    rememberPlace(place === undefined ? pathname + search : toAddress(place));
    noteLeaving(allowsChanges ? 'allowing' : 'signing_in');
    const access = allowsChanges ? '&access=change' : '';
    const path = RENEWAL_PATH + access + (mailbox === null ? '' : `&mailbox=${mailbox}`);
    window.location.assign(new URL(path, origin).href);
  };
};
