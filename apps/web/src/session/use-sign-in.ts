import { useApi } from '../api/api-context.tsx';
import { rememberPlace } from './remembered-place.ts';
import { noteLeaving } from './return-from-sign-in.ts';
import { shownMailbox, toAddress } from './shown-mailbox.ts';

/** Renews the signed-in user's mailbox connection; refuses another account. */
const RENEWAL_PATH = '/auth/idp?renew=true';

/**
 * Leaves for the provider's sign-in.
 *
 * @param place - where to return; by default where the user is or was
 * @param options.allowsChanges - asks the provider for changing the mailbox, too
 * @param options.mailbox - to renew; by default the shown one
 */
export const useSignIn = (
  place?: string,
  { allowsChanges = false, mailbox }: { allowsChanges?: boolean; mailbox?: number } = {},
): (() => void) => {
  const { origin } = useApi();
  return () => {
    rememberPlace(place === undefined ? window.location.pathname + window.location.search : toAddress(place));
    noteLeaving(allowsChanges ? 'allowing' : 'renewing');
    const url = new URL(RENEWAL_PATH, origin);
    if (allowsChanges) url.searchParams.set('access', 'change');
    const renewed = mailbox ?? shownMailbox();
    if (renewed !== undefined) url.searchParams.set('mailbox', String(renewed));
    window.location.assign(url.href);
  };
};
