import { toAddress } from '../address/shown-mailbox.ts';
import { takeRememberedPlace } from './remembered-place.ts';
import { storeText } from './store-text.ts';

/** The API returns here after the provider's sign-in. */
const CALLBACK_PATH = '/auth/callback';

const PURPOSE_KEY = 'mailsweep.leaving';
/** The user did not allow it: the session goes on as it was. */
const DECLINED = ['access_denied', 'missing_scope'];

/** Notes why this tab leaves: more access may be declined, and another mailbox refused. */
export const noteLeaving = (purpose: 'allowing' | 'signing_in' | 'adding'): void =>
  storeText(sessionStorage, PURPOSE_KEY, purpose);

let hasAdded = false;

/** Whether this page is the first of a mailbox that was just added; tells it once. */
export const takeAdded = (): boolean => {
  const had = hasAdded;
  hasAdded = false;
  return had;
};

/**
 * Leads a returning user to their former place, to the mailbox that they added, or back to the sign-in after an error.
 *
 * @returns whether the page stays
 */
export const returnFromSignIn = (): boolean => {
  const { pathname, search } = window.location;
  if (pathname !== CALLBACK_PATH) return true;
  const parameters = new URLSearchParams(search);
  const [error, provider, mailbox] = ['error', 'provider', 'mailbox'].map((name) => parameters.get(name));
  const purpose = sessionStorage.getItem(PURPOSE_KEY);
  // Kept after an error, so that adding can be tried again.
  if (error == null || purpose !== 'adding') sessionStorage.removeItem(PURPOSE_KEY);
  if (error == null || (purpose === 'allowing' && DECLINED.includes(error))) {
    const place = takeRememberedPlace();
    hasAdded = purpose === 'adding' && mailbox != null;
    window.history.replaceState(null, '', hasAdded ? toAddress('/', Number(mailbox)) : place);
    return true;
  }
  const where = provider == null ? '' : `&provider=${encodeURIComponent(provider)}`;
  const adding = purpose === 'adding' ? '&add=true' : '';
  window.location.replace(`/sign-in?error=${encodeURIComponent(error)}${where}${adding}`);
  return false;
};
