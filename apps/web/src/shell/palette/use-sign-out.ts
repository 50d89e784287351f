import { t } from '@lingui/core/macro';
import { useCallback } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { toClause } from '../../api/describe-error.ts';
import { type SignOutReach, signOut } from '../../api/sign-out.ts';
import { showToast, toFailure } from '../../feedback/toasts.tsx';
import { endPushHere } from '../../push/device-push.ts';
import { endSession, type SignInReason } from '../../session/sign-in-page.ts';

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
          await endSession(REASONS[reach], async () => {
            await signOut(origin, reach);
            // The next one to use this browser must not see what arrives.
            await endPushHere().catch(() => null);
          });
        } catch (error) {
          showToast(toFailure(error, (title) => t`You are still signed in: ${{ why: toClause(title) }}`));
        }
      };
      void end();
    },
    [origin],
  );
};
