import { SESSION_COOKIE } from '@mailsweep/contracts';
import { parseCookie } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';

/** Cookie that binds a sign-in in flight to the browser that began it. */
const LOGIN_COOKIE = 'login_binding';

/** Attributes shared by our cookies. */
export interface CookiePolicy {
  session: CookieOptions;
  login: CookieOptions;
  loginName: string;
}

/**
 * Cookies are Secure, unless the API is reached over plain http at the machine itself. Over https the login cookie has
 * the prefix `__Host-`, which keeps sibling hosts from setting it (RFC 6265bis, section 4.1.3.2).
 *
 * @param options.apiUrl - any address of the API as browsers see it
 */
export const createCookiePolicy = (options: {
  apiUrl: string;
  sameSite: 'lax' | 'strict' | 'none';
}): CookiePolicy => {
  const { protocol, hostname } = new URL(options.apiUrl);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const secure = !(protocol === 'http:' && isLocal) || options.sameSite === 'none';
  return {
    session: { httpOnly: true, secure, sameSite: options.sameSite, path: '/' },
    // The provider sends the browser back from another site: strict would keep the cookie from arriving.
    login: { httpOnly: true, secure, sameSite: 'lax', path: '/' },
    loginName: protocol === 'https:' ? `__Host-${LOGIN_COOKIE}` : LOGIN_COOKIE,
  };
};

/** Makes the function that has a response delete the browser's session cookie. */
export const createClearSessionCookie =
  (policy: CookiePolicy) =>
  (response: Response): void =>
    void response.clearCookie(SESSION_COOKIE, policy.session);

/** What a request carries in the way of a session token. */
export type PresentedToken = { kind: 'bearer' | 'cookie'; token: string } | { kind: 'none' | 'ambiguous' };

/** Finds the session token of a request: a Bearer token goes before the cookie, two cookies are one too many. */
export const readPresentedToken = (request: Request): PresentedToken => {
  const authorization = request.headers.authorization;
  if (authorization !== undefined) {
    const token = /^Bearer ([^\s]+)$/i.exec(authorization)?.[1];
    return token === undefined ? { kind: 'ambiguous' } : { kind: 'bearer', token };
  }
  const header = request.headers.cookie ?? '';
  const named = header.split(';').filter((pair) => pair.split('=', 1)[0]?.trim() === SESSION_COOKIE);
  if (named.length > 1) return { kind: 'ambiguous' };
  const token = parseCookie(header)[SESSION_COOKIE];
  return token === undefined || token === '' ? { kind: 'none' } : { kind: 'cookie', token };
};

/** A cookie's value, or undefined. */
export const readCookie = (request: Request, name: string): string | undefined =>
  parseCookie(request.headers.cookie ?? '')[name];
