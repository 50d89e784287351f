import { chooseAccount } from './sign-in-pages.ts';

const toCookies = (response: Response): string[] =>
  response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');

const redirectOf = (response: Response): string => response.headers.get('location') ?? '';

const follow = (url: URL | string, cookie = ''): Promise<Response> =>
  fetch(url, { redirect: 'manual', headers: { cookie } });

/** Brings a sign-in to where the provider sends the browser back to the API, which has not seen it yet. */
export const beginSignIn = async (
  api: string,
  email: string,
): Promise<{ callback: URL; loginCookie: string }> => {
  const begun = await follow(`${api}/auth/idp`);
  return {
    callback: await chooseAccount(redirectOf(begun), email),
    loginCookie: toCookies(begun).join('; '),
  };
};

/**
 * Signs a user of the sandbox in at the API as a browser does. The API asks for consent once more when it has no refresh
 * token.
 *
 * @returns the cookie of the session, and where the browser ends up
 */
export const signInAtApi = async (
  api: string,
  email: string,
): Promise<{ cookie: string; landedAt: string }> => {
  const { callback, loginCookie } = await beginSignIn(api, email);
  let ended = await follow(callback, loginCookie);
  if (redirectOf(ended).includes('prompt=consent')) {
    ended = await follow(await chooseAccount(redirectOf(ended), email), loginCookie);
  }
  const cookie = toCookies(ended).find((pair) => pair.startsWith('session_token='));
  if (cookie === undefined) throw new Error(`${email} could not sign in: ${redirectOf(ended)}`);
  return { cookie, landedAt: redirectOf(ended) };
};
