import { UnexpectedResponseError, UnreachableError } from '@mailsweep/client';

/** Which sessions a sign-out ends: this browser's, or every one that the user has anywhere. */
export type SignOutReach = 'here' | 'everywhere';

const SIGN_OUT_PATHS: Record<SignOutReach, string> = {
  here: '/auth/logout',
  everywhere: '/auth/logout-everywhere',
};

/** Ends sessions on the server, which also clears the cookie. @throws as the client's methods do */
export const signOut = async (apiOrigin: string, reach: SignOutReach): Promise<void> => {
  const response = await fetch(new URL(SIGN_OUT_PATHS[reach], apiOrigin), {
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  }).catch((error: unknown) => {
    throw new UnreachableError(error);
  });
  if (!response.ok && response.status !== 401) throw new UnexpectedResponseError(response.status);
};
