import type { Me } from '@mailsweep/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { isReauthRequired, isSignedOut } from '../api/error-kinds.ts';
import { rememberPlace } from './remembered-place.ts';
import type { SignInReason } from './sign-in-page.ts';

/**
 * Makes the watcher of every failed request: a lost session leads to the sign-in, and a lapsed mailbox
 * connection is marked, so that each screen can say so.
 *
 * @param input.goToSignIn - leaves the app
 * @param input.currentPlace - the address that the user is at
 */
export const createSessionWatch =
  (input: {
    queryClient: QueryClient;
    goToSignIn: (reason: SignInReason | undefined) => void;
    currentPlace: () => string;
  }) =>
  (error: unknown): void => {
    if (isSignedOut(error)) {
      const hadSession = input.queryClient.getQueryData<Me>(['me']) !== undefined;
      rememberPlace(input.currentPlace());
      input.goToSignIn(hadSession ? 'expired' : undefined);
      return;
    }
    if (isReauthRequired(error)) {
      input.queryClient.setQueryData<Me>(['me'], (me) => me && { ...me, connection: 'reauth_required' });
    }
  };
