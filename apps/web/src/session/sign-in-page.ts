import { isSignedOut } from '../api/error-kinds.ts';
import { forgetWork } from './kept-work.ts';

/** Why the sign-in shows, when the user did not ask for it. */
export type SignInReason = 'expired' | 'signed_out' | 'signed_out_everywhere' | 'erased';

/** Reloads a page that the browser kept for its Back button, so that it shows no email of a user who has signed out. */
const forgetOnReturn = (): void => {
  window.addEventListener('pagehide', () => {
    document.body.hidden = true;
  });
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) window.location.reload();
  });
};

let isSessionEnding = false;

/** Leaves the app for the sign-in, a page of its own; nothing that was loaded stays. The first caller sets the reason. */
export const goToSignIn = (reason?: SignInReason): void => {
  if (isSessionEnding || document.body.inert) return;
  document.body.inert = true;
  forgetOnReturn();
  window.location.replace(reason ? `/sign-in?reason=${reason}` : '/sign-in');
};

/**
 * Ends the session as the user asked for, and leaves. Other requests may find it gone before the response is here: they
 * do not lead away, with a reason that is wrong.
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
