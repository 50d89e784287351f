import { takeRememberedPlace } from './remembered-place.ts';
import { storeText } from './store-text.ts';

/** The API returns here after the provider's sign-in. */
const CALLBACK_PATH = '/auth/callback';

const ALLOWING_KEY = 'mailsweep.allowing';
/** The user did not allow it: the session goes on as it was. */
const DECLINED = ['access_denied', 'missing_scope'];

/** Notes that this tab leaves to ask for more access, which the user may decline. */
export const noteAllowing = (): void => storeText(sessionStorage, ALLOWING_KEY, 'true');

/**
 * Leads a returning user to their former place, or back to the sign-in after an error.
 *
 * @returns whether the page stays
 */
export const returnFromSignIn = (): boolean => {
  const { pathname, search } = window.location;
  if (pathname !== CALLBACK_PATH) return true;
  const parameters = new URLSearchParams(search);
  const [error, provider] = [parameters.get('error'), parameters.get('provider')];
  const wasAllowing = sessionStorage.getItem(ALLOWING_KEY) !== null;
  sessionStorage.removeItem(ALLOWING_KEY);
  if (error === null || (wasAllowing && DECLINED.includes(error))) {
    window.history.replaceState(null, '', takeRememberedPlace());
    return true;
  }
  const where = provider === null ? '' : `&provider=${encodeURIComponent(provider)}`;
  window.location.replace(`/sign-in?error=${encodeURIComponent(error)}${where}`);
  return false;
};
