import { shownMailbox, toAddress } from '../address/shown-mailbox.ts';
import { useApi } from '../api/api-context.tsx';
import { rememberPlace } from './remembered-place.ts';
import { noteLeaving } from './return-from-sign-in.ts';

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
