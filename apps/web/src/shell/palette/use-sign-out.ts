import { t } from '@lingui/core/macro';
import { useCallback } from 'react';
import { type SignOutReach, signOut } from '../../api/api-client.ts';
import { useApi } from '../../api/api-context.tsx';
import { describeError, toClause } from '../../api/describe-error.ts';
import { showToast } from '../../feedback/toasts.tsx';
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
          const { title, advice } = describeError(error);
          showToast({
            title: t`You are still signed in: ${{ why: toClause(title) }}`,
            detail: advice,
            tone: 'failed',
          });
        }
      };
      void end();
    },
    [origin],
  );
};
