import { takeRememberedPlace } from './remembered-place.ts';

/** Where the API leads after the provider's sign-in. */
const CALLBACK_PATH = '/auth/callback';

/**
 * Brings a user who comes back from the provider to where they wanted to be, or back to the sign-in when it failed.
 *
 * @returns whether the page stays; if not, another one is on its way
 */
export const returnFromSignIn = (): boolean => {
  const { pathname, search } = window.location;
  if (pathname !== CALLBACK_PATH) return true;
  const parameters = new URLSearchParams(search);
  const [error, provider] = [parameters.get('error'), parameters.get('provider')];
  if (error === null) {
    window.history.replaceState(null, '', takeRememberedPlace());
    return true;
  }
  const where = provider === null ? '' : `&provider=${encodeURIComponent(provider)}`;
  window.location.replace(`/sign-in?error=${encodeURIComponent(error)}${where}`);
  return false;
};
