import { RECENT_SIGN_IN_REQUIRED } from '@mailsweep/contracts';
import { ProblemError } from '@mailsweep/service-kit';
import type { Session } from './session.repository.ts';

export type RequireRecentSignIn = (session: Session) => void;

/**
 * Refuses sessions that began too long ago for what cannot be taken back: a stolen token alone must not be enough.
 * The challenge is that of RFC 9470.
 *
 * @param minutes - how old the sign-in may be, by the database's clock
 * @throws {ProblemError} 401 `recent_sign_in_required`, from the function it returns
 */
export const createRequireRecentSignIn =
  (minutes: number): RequireRecentSignIn =>
  (session) => {
    if (session.ageSeconds <= minutes * 60) return;
    throw new ProblemError(
      401,
      RECENT_SIGN_IN_REQUIRED,
      `This needs a sign-in within the last ${minutes} minutes: sign in again at /auth/idp.`,
      {
        headers: {
          'www-authenticate': `Bearer error="insufficient_user_authentication", error_description="A more recent sign-in is required", max_age="${minutes * 60}"`,
        },
      },
    );
  };
