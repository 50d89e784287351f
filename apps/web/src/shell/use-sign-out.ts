import { useCallback } from 'react';
import { type SignOutReach, signOut } from '../api/api-client.ts';
import { useApi } from '../api/api-context.tsx';
import { describeError } from '../api/describe-error.ts';
import { showToast } from '../feedback/toasts.tsx';
import { goToSignIn, type SignInReason } from '../session/sign-in-page.ts';

const REASONS: Record<SignOutReach, SignInReason> = {
  here: 'signed_out',
  everywhere: 'signed_out_everywhere',
};

/** Ends this session or all of the user's, and leaves. */
export const useSignOut = (): ((reach: SignOutReach) => void) => {
  const { origin } = useApi();
  return useCallback(
    (reach) => {
      const end = async () => {
        try {
          await signOut(origin, reach);
        } catch (error) {
          const { title, advice } = describeError(error);
          showToast({
            title: `You are still signed in: ${title.toLowerCase()}`,
            detail: advice,
            tone: 'failed',
          });
          return;
        }
        goToSignIn(REASONS[reach]);
      };
      void end();
    },
    [origin],
  );
};
