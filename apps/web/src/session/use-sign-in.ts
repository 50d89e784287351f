import { useApi } from '../api/api-context.tsx';
import { rememberPlace } from './remembered-place.ts';

/** Renews the mailbox connection of the user who is signed in; another account is refused. */
const RENEWAL_PATH = '/auth/idp?renew=true';

/**
 * Leaves for the provider's sign-in.
 *
 * @param place - where it comes back to; by default where the user is now, or was before
 */
export const useSignIn = (place?: string): (() => void) => {
  const { origin } = useApi();
  return () => {
    rememberPlace(place ?? window.location.pathname + window.location.search);
    window.location.assign(new URL(RENEWAL_PATH, origin).href);
  };
};
