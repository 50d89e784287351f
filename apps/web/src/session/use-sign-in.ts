import { useApi } from '../api/api-context.tsx';
import { rememberPlace } from './remembered-place.ts';
import { noteAllowing } from './return-from-sign-in.ts';

/** Renews the signed-in user's mailbox connection; refuses another account. */
const RENEWAL_PATH = '/auth/idp?renew=true';

/**
 * Leaves for the provider's sign-in.
 *
 * @param place - where to return; by default where the user is or was
 * @param options.allowsChanges - asks the provider for changing the mailbox, too
 */
export const useSignIn = (place?: string, { allowsChanges = false } = {}): (() => void) => {
  const { origin } = useApi();
  return () => {
    rememberPlace(place ?? window.location.pathname + window.location.search);
    if (allowsChanges) noteAllowing();
    const path = allowsChanges ? `${RENEWAL_PATH}&access=change` : RENEWAL_PATH;
    window.location.assign(new URL(path, origin).href);
  };
};
