import { isSignedOut } from '../api/errors.ts';
import { forgetWork } from './kept-work.ts';
import { noteLeaving } from './return-from-sign-in.ts';

/** Why the sign-in shows. */
export type SignInReason = 'expired' | 'signed_out' | 'signed_out_everywhere' | 'erased';

let isSessionEnding = false;

/** Leaves the app for the sign-in, a separate page. The first caller sets the reason. */
export const goToSignIn = (reason?: SignInReason): void => {
  if (isSessionEnding || document.body.inert) return;
  document.body.inert = true;
  noteLeaving('signing_in');
  window.location.replace(reason ? `/sign-in?reason=${reason}` : '/sign-in');
};

/**
 * Ends the session and leaves. Meanwhile, other requests that find it gone do not lead away with a wrong reason.
 *
 * @param request - ends the session, or rejects; the error is passed on
 */
export const endSession = async (reason: SignInReason, request: () => Promise<unknown>): Promise<void> => {
  isSessionEnding = true;
  try {
    await request();
  } catch (error) {
    isSessionEnding = false;
    if (isSignedOut(error)) goToSignIn('expired');
    throw error;
  }
  isSessionEnding = false;
  forgetWork();
  goToSignIn(reason);
};
