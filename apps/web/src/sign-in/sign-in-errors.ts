import type { SignInError } from '@mailsweep/contracts';

/** Why a sign-in failed and what to do, for each code that the API hands over. */
export const SIGN_IN_ERRORS: Record<SignInError, string> = {
  access_denied: 'You did not grant access, so nothing was connected. Sign in again when you are ready.',
  invalid_state: 'This sign-in did not begin in this browser. Please start it again from here.',
  login_expired: 'The sign-in took longer than ten minutes. Please start it again.',
  missing_scope:
    'Mailsweep needs the permission to read and change mail labels. Leave its box ticked, then try again.',
  provider_error: 'Google could not complete the sign-in. Please try again.',
  provider_unavailable: 'Google did not answer. Please try again in a moment.',
  temporarily_unavailable: 'Mailsweep is not available right now. Please try again in a moment.',
};
