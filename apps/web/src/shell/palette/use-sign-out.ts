import { t } from '@lingui/core/macro';
import { UnexpectedResponseError, UnreachableError } from '@mailsweep/client';
import { useCallback } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { toClause } from '../../api/errors.ts';
import { showToast, toFailure } from '../../feedback/toasts.tsx';
import { endPushHere } from '../../push/device-push.ts';
import { fetchAsUser } from '../../session/session-watch.ts';
import { endSession } from '../../session/sign-in-page.ts';

const REACHES = {
  here: { path: '/auth/logout', reason: 'signed_out' },
  everywhere: { path: '/auth/logout-everywhere', reason: 'signed_out_everywhere' },
} as const;
type SignOutReach = keyof typeof REACHES;

/** Ends sessions on the server, which also clears the cookie. @throws as the client's methods do */
const signOut = async (apiOrigin: string, reach: SignOutReach): Promise<void> => {
  const response = await fetchAsUser(new URL(REACHES[reach].path, apiOrigin), {
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  }).catch((error: unknown) => {
    throw new UnreachableError(error);
  });
  if (!response.ok && response.status !== 401) throw new UnexpectedResponseError(response.status);
};

export const useSignOut = (): ((reach: SignOutReach) => void) => {
  const { origin } = useApi();
  return useCallback(
    (reach) => {
      endSession(REACHES[reach].reason, async () => {
        await signOut(origin, reach);
        // The next user of this browser must not see what arrives.
        await endPushHere().catch(() => null);
      }).catch((error: unknown) =>
        showToast(toFailure(error, (title) => t`You are still signed in: ${{ why: toClause(title) }}`)),
      );
    },
    [origin],
  );
};
