import { toSignInUrl } from '../api/api-client.ts';
import { useApi } from '../api/api-context.tsx';
import { rememberPlace } from './remembered-place.ts';

/** Leaves for the mail provider's sign-in; it comes back to where the person is now, or was before. */
export const useSignIn = (): (() => void) => {
  const { origin } = useApi();
  return () => {
    rememberPlace(window.location.pathname + window.location.search);
    window.location.assign(toSignInUrl(origin));
  };
};
