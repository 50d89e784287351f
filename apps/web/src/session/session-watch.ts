import type { ApiClient } from '@mailsweep/client';
import type { Me } from '@mailsweep/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { shownMailbox, toAddress, toStorageKey } from '../address/shown-mailbox.ts';
import { isReadOnlyAccess, isReauthRequired, isSignedOut } from '../api/errors.ts';
import { rememberPlace } from './remembered-place.ts';
import type { SignInReason } from './sign-in-page.ts';
import { storeText } from './store-text.ts';
import { askForAccess } from './wanted-access.ts';

/** Names the user in responses; in requests the intended one, so that the API refuses them in another session. */
const USER_HEADER = 'mailsweep-user';
/** Names the mailbox that a request is for. */
const MAILBOX_HEADER = 'mailsweep-mailbox';

/** Longest wait of a hidden page. Unit: milliseconds. */
const LONGEST_CHECK_MS = 5_000;

let user: string | undefined;
/** Stores whose pages of a mailbox this tab has shown: an address may hold their search. */
const TAB_USER = 'user';

/** Hides without moving, so that lists keep their scroll position. */
const showPage = (isShown: boolean): void => {
  document.body.style.visibility = isShown ? '' : 'hidden';
};

/** Sends a request for this page's mailbox and user. Starts the app over once another one has signed in, in any tab. */
export const fetchAsUser: typeof fetch = async (url, init = {}) => {
  const headers = new Headers(init.headers);
  const mailbox = shownMailbox();
  if (mailbox !== undefined) headers.set(MAILBOX_HEADER, mailbox);
  if (user !== undefined && init.method !== 'GET') headers.set(USER_HEADER, user);
  const response = await fetch(url, { ...init, headers });
  const named = response.headers.get(USER_HEADER);
  if (named === null) return response;
  const isOfAnother = named !== (user ?? sessionStorage.getItem(toStorageKey(TAB_USER)) ?? named);
  storeText(sessionStorage, toStorageKey(TAB_USER), named);
  if (isOfAnother) {
    showPage(false);
    window.location.replace(toAddress('/'));
    return await new Promise(() => undefined);
  }
  user = named;
  return response;
};

/** Checks the user before showing a page from the back-forward cache, or a hidden tab. */
export const watchReturns = (client: Pick<ApiClient, 'getMe'>): void => {
  window.addEventListener('pagehide', () => showPage(false));
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    const startOver = () => window.location.reload();
    // The page was left for the sign-in.
    if (document.body.inert) startOver();
    else
      client.getMe({ timeLimitMs: LONGEST_CHECK_MS }).then(
        () => showPage(true),
        (error: unknown) => isSignedOut(error) || startOver(),
      );
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) client.getMe({}).catch(() => undefined);
  });
};

/**
 * Handles failed requests: a lost session leads to the sign-in; a lapsed mailbox connection is marked for every
 * screen; a refused change asks for more access.
 *
 * @param input.goToSignIn - leaves the app
 * @param input.currentPlace - the user's address
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
    if (isReadOnlyAccess(error)) {
      const { queryClient } = input;
      // In another tab the user may have signed in for a look.
      queryClient.setQueryData<Me>(
        ['me'],
        (me) => me && { ...me, mailbox: { ...me.mailbox, canChange: false } },
      );
      askForAccess(queryClient);
    }
  };
